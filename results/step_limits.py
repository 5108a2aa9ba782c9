# SPDX-License-Identifier: Apache-2.0
"""The least time of each part of a step: product by product the larger of its bytes over the bandwidth of a copy and its
operations over the measured peak, as if nothing stayed in the L2 cache. Bytes are read or written once each."""
from side_by_side.models import model_of

SIXTEEN_BITS = ("bf16", "fp16")
STATE_BYTES = 24  # of a weight and its two moments, read and written


def part_limits(model, batch, precision, roofline):
    """Seconds by part, the names as in update-step-parts; `roofline` is that of `breakeven kernels`."""
    layers = model_of(model).layers
    value = 2 if precision in SIXTEEN_BITS else 4
    working = value if precision in SIXTEEN_BITS else 0  # copy of a weight that products read

    def product(inputs, outputs, weight_bytes):
        moved = value * batch * (inputs + outputs) + weight_bytes * inputs * outputs
        return max(moved / roofline["copy_bytes_per_second"],
                   2 * batch * inputs * outputs / roofline[f"{precision}_flops_per_second"])

    forward = [product(inputs, outputs, value) for inputs, outputs in layers]
    data_gradients = [product(inputs, outputs, value) for inputs, outputs in layers[1:]]
    copied = (4 + value) * layers[0][0] + 8 * layers[-1][1]  # of a sample: its features converted, its targets
    return {
        "batch": batch * copied / roofline["copy_bytes_per_second"],
        "forward": sum(forward),
        "data gradients": sum(data_gradients),
        "updates": sum(product(inputs, outputs, STATE_BYTES + working) for inputs, outputs in layers),
        "first layer": forward[0],
        "later layers": sum(forward[1:] + data_gradients),
    }
