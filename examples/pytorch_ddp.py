#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PyTorch's DDP and FSDP2 on synthetic data: breakeven's MLPs large and xl, and a GPT-2-small-like transformer.

    breakeven wrap --gpus 1,2 --batches 16,64 --strategies ddp,fsdp --precisions bf16 --output gpt2.h5 -- \\
      torchrun --nproc-per-node {gpus} examples/pytorch_ddp.py --model gpt2-small \\
        --batch {batch} --strategy {strategy} --precision {precision}
"""

import argparse
import os
from contextlib import nullcontext
from itertools import pairwise

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional

from breakeven_analysis import Recorder

MLPS = {"large": (4608, 1024, 1024, 512, 512, 256, 768), "xl": (4096, 4096, 4096, 4096, 1024)}
# Layers, heads, width, vocabulary and tokens of a sample.
GPTS = {"gpt2-small": (12, 12, 768, 50304, 1024), "gpt2-tiny": (2, 2, 32, 512, 64)}


class Mlp(nn.Sequential):
    """ReLU and dropout behind every layer but the last; mean squared error."""

    def __init__(self, widths: tuple[int, ...]) -> None:
        layers: list[nn.Module] = []
        for inputs, outputs in pairwise(widths):
            layers += [nn.Linear(inputs, outputs), nn.ReLU(), nn.Dropout(0.3)]
        super().__init__(*layers[:-2])
        self.ends = widths[0], widths[-1]

    def samples(self, rows: int, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.randn(rows, self.ends[0], device=device), torch.randn(rows, self.ends[1], device=device)

    def loss(self, output: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return functional.mse_loss(output.float(), targets)

    def parts(self) -> list[nn.Module]:
        return [layer for layer in self if isinstance(layer, nn.Linear)]


class Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows, tokens, width = x.shape
        split = self.qkv(self.first(x)).view(rows, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        attended = functional.scaled_dot_product_attention(*split, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).reshape(rows, tokens, width))
        return x + self.down(functional.gelu(self.up(self.second(x)), approximate="tanh"))


class Gpt(nn.Module):
    """Random tokens; the output layer shares the embedding's weights."""

    def __init__(self, layers: int, heads: int, width: int, vocabulary: int, tokens: int) -> None:
        super().__init__()
        self.shape = vocabulary, tokens
        self.words, self.places = nn.Embedding(vocabulary, width), nn.Embedding(tokens, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.last = nn.LayerNorm(width)
        nn.init.normal_(self.words.weight, std=0.02)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        x = self.words(words) + self.places.weight
        for block in self.blocks:
            x = block(x)
        return functional.linear(self.last(x), self.words.weight)

    def samples(self, rows: int, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
        text = torch.randint(self.shape[0], (rows, self.shape[1] + 1), device=device)
        return text[:, :-1].contiguous(), text[:, 1:].contiguous()

    def loss(self, output: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(output.flatten(0, 1), targets.flatten())

    def parts(self) -> list[nn.Module]:
        return list(self.blocks)


def distribute(model: nn.Module, strategy: str, precision: str, device: torch.device) -> nn.Module:
    if strategy == "ddp":
        return nn.parallel.DistributedDataParallel(model, device_ids=[device] if device.type == "cuda" else None)
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard  # takes seconds
    policy = MixedPrecisionPolicy(torch.bfloat16, torch.float32) if precision == "bf16" else MixedPrecisionPolicy()
    for part in [*model.parts(), model]:
        fully_shard(part, mp_policy=policy)
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", choices=[*MLPS, *GPTS], default="large")
    parser.add_argument("--batch", type=int, default=256, help="samples of a step over all GPUs")
    parser.add_argument("--strategy", choices=["single", "ddp", "fsdp"], default="ddp", help="ignored on one GPU")
    parser.add_argument("--precision", choices=["fp32", "bf16"], default="bf16")
    parser.add_argument("--output", default="results.h5")
    parser.add_argument("--settle", type=float, default=5)
    parser.add_argument("--steps", type=int, default=100)
    options = parser.parse_args()
    rank, ranks = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    if options.batch % ranks:
        parser.error(f"--batch {options.batch} cannot be divided by {ranks} GPUs")
    device = torch.device("cpu")
    if torch.cuda.is_available():
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
        torch.cuda.set_device(device)
    if ranks > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    torch.manual_seed(1)  # the same parameters on all ranks
    plain = (Mlp(MLPS[options.model]) if options.model in MLPS else Gpt(*GPTS[options.model])).to(device)
    model = distribute(plain, options.strategy, options.precision, device) if ranks > 1 else plain
    adam = torch.optim.Adam(model.parameters(), fused=True)
    torch.manual_seed(rank + 2)  # other samples
    inputs, targets = plain.samples(options.batch // ranks, device)
    casts = options.precision == "bf16" and (ranks == 1 or options.strategy == "ddp")  # FSDP2 casts by its policy

    recorder = Recorder(
        model=options.model,
        parameters=sum(one.numel() for one in plain.parameters()),
        batch=options.batch,
        strategy=f"pytorch-{options.strategy}",
        precision=options.precision,
        data="resident",
        **{name: getattr(options, name) for name in ("output", "settle", "steps")},
    )
    while not recorder.done:
        with recorder.step(loss=lambda: loss, samples=len(inputs)):
            adam.zero_grad()
            with torch.autocast(device.type, torch.bfloat16) if casts else nullcontext():
                loss = plain.loss(model(inputs), targets)
            loss.backward()
            adam.step()
    recorder.close()
    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
