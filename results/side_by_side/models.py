# SPDX-License-Identifier: Apache-2.0
"""The named models, for PyTorch. A test compares this table with src/core/model/model_shape.cpp."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Model:
    widths: tuple[int, ...]
    dropout: float

    @property
    def layers(self):
        """(inputs, outputs) of each layer."""
        return list(zip(self.widths, self.widths[1:]))

    @property
    def parameters(self):
        return sum((inputs + 1) * outputs for inputs, outputs in self.layers)


NAMED = {
    "medium": Model((799, 256, 128, 64, 192), 0.2),
    "medium-50": Model((50, 256, 128, 64, 3), 0.2),
    "large": Model((4608, 1024, 1024, 512, 512, 256, 768), 0.3),
    "large-50": Model((50, 1024, 1024, 512, 512, 256, 3), 0.3),
    "xl": Model((4096, 4096, 4096, 4096, 1024), 0.3),
    "xxl": Model((8192, 8192, 8192, 8192, 8192, 1024), 0.3),
}
TYPED_DROPOUT = 0.2


def model_of(text):
    """A named model, or a shape such as 784-512-10; ValueError for neither."""
    if text in NAMED:
        return NAMED[text]
    try:
        widths = tuple(int(width) for width in text.split("-"))
    except ValueError:
        widths = ()
    if len(widths) < 2 or min(widths) < 1:
        raise ValueError(f"model '{text}' is neither a name ({', '.join(NAMED)}) nor a shape such as 784-512-10")
    return Model(widths, TYPED_DROPOUT)
