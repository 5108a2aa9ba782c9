# SPDX-License-Identifier: Apache-2.0
"""PyTorch's training on several GPUs, and whether it is the training of one: the checks that every timing passes."""
import dataclasses
import math

from side_by_side.models import Model
from side_by_side.several_cases import check_losses
from side_by_side.torch_trainer import Trainer

# Dropout draws other masks on every rank, so the comparison with one GPU leaves it out.
CHECKED_SHAPE = Model((64, 96, 48, 16), 0.0)
CHECKED_ROWS = 16  # of each rank
CHECKED_STEPS = 20


def layer_module(torch, parts):
    """A layer that torch.compile compiles: of a plain Sequential between FSDP2's hooks it compiles nothing."""
    class Layer(torch.nn.Sequential):
        def forward(self, rows):
            for part in self:
                rows = part(rows)
            return rows

    return Layer(*parts)


def loss_module(torch, network):
    """Forward and loss as one module: what is distributed and compiled."""
    class LossOf(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.network = network

        def forward(self, features, targets):
            return torch.nn.functional.mse_loss(self.network(features).float(), targets)

    return LossOf()


class RanksTrainer(Trainer):
    """One rank's replica or shards, its rows of the batch, and the step."""

    steps_before_capture = 11  # DistributedDataParallel sets itself up in the first ones

    def __init__(self, configuration, ranks, shape=None):
        if configuration.batch % ranks.ranks:
            raise ValueError(f"batch {configuration.batch} cannot be divided by {ranks.ranks} GPUs")
        self.ranks = ranks
        super().__init__(configuration, ranks.device, shape)

    def part_of(self, rows):
        return rows.chunk(self.ranks.ranks)[self.ranks.rank].clone()

    def prepare_loss(self):
        self.torch.manual_seed(1000 + self.ranks.rank)  # other dropout on every rank
        self.model = self._fsdp() if self.mode.startswith("fsdp") else self._ddp()

    def loss(self):
        with self.torch.autocast(**self.autocast):
            return self.model(self.features, self.targets)

    def _ddp(self):
        torch = self.torch
        # To be captured it has to be made on the stream of the capture.
        with torch.cuda.stream(self.side):
            model = torch.nn.parallel.DistributedDataParallel(
                loss_module(torch, self.network), gradient_as_bucket_view=True,
                device_ids=[torch.cuda.current_device()] if self.device == "cuda" else None)
        return torch.compile(model) if "compile" in self.mode else model

    def _fsdp(self):
        """Every layer with its ReLU and dropout is sharded, and compiled, by itself."""
        from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
        torch = self.torch
        self.autocast["enabled"] = False  # the policy casts
        policy = MixedPrecisionPolicy(param_dtype=self.half, reduce_dtype=torch.float32 if self.half else None)
        parts = list(self.network)
        layers = [layer_module(torch, parts[first:first + 3]) for first in range(0, len(parts), 3)]
        mesh = torch.distributed.device_mesh.init_device_mesh(self.device, (self.ranks.ranks,))
        for layer in layers:
            if "compile" in self.mode:
                layer.compile()
            fully_shard(layer, mesh=mesh, mp_policy=policy)
        model = loss_module(torch, torch.nn.Sequential(*layers))
        # Targets keep their precision.
        return fully_shard(model, mesh=mesh, mp_policy=dataclasses.replace(policy, cast_forward_inputs=False))

    def mean_loss(self):
        """Of the next step, over the whole batch."""
        return self.ranks.mean(float(self.step()))

    def check_parameters(self):
        """RuntimeError unless all ranks have the same bits; NaN equals nothing."""
        equal = True
        for own in self.network.parameters():
            whole = own.full_tensor() if hasattr(own, "full_tensor") else own.detach()
            first = whole.clone()
            self.ranks.distributed.broadcast(first, 0)
            equal = equal and self.torch.equal(first, whole)
        differ = [str(rank) for rank, same in enumerate(self.ranks.gather(equal)) if not same]
        if differ:
            raise RuntimeError(f"the parameters after training differ from rank 0's on rank {', '.join(differ)}")


def check_against_one(ranks, configuration, make=RanksTrainer):
    """RuntimeError unless the mode trains a small network as one GPU does."""
    small = dataclasses.replace(configuration, batch=CHECKED_ROWS * ranks.ranks)
    if "compile" in configuration.mode:
        ranks.torch._dynamo.utils.counters.clear()
    several = make(small, ranks, CHECKED_SHAPE)
    found = [several.mean_loss() for _ in range(CHECKED_STEPS)]
    several.check_parameters()
    check_compiled(several.torch, several.mode)
    one = Trainer(dataclasses.replace(small, mode="eager"), ranks.device, CHECKED_SHAPE)
    if configuration.captured:
        for _ in range(several.steps_before_capture):
            one.step()
    expected = [float(one.step()) for _ in range(CHECKED_STEPS)]
    check_losses(found, expected, configuration.precision)


def check_compiled(torch, mode):
    """RuntimeError if torch.compile left all to eager execution, which it does without a word."""
    if "compile" in mode and not torch._dynamo.utils.counters["stats"]["unique_graphs"]:
        raise RuntimeError("torch.compile compiled nothing")


def check_training(trainer, first_loss):
    """The loss after the steps. RuntimeError unless it fell and the ranks agree."""
    last_loss = trainer.mean_loss()
    trainer.check_parameters()
    if not (last_loss < first_loss and math.isfinite(last_loss)):
        raise RuntimeError(f"the loss did not fall: {first_loss:g} in the first step, {last_loss:g} after training")
    return last_loss


def slowest_of(ranks, own):
    """The slowest rank's times, by its mean step, with the GPUs of all."""
    every = ranks.gather(own)
    slowest = max(every, key=lambda one: one["mean_seconds"])
    return slowest | {"gpu_uuid": every[0]["gpu_uuid"], "gpu_uuids": [one["gpu_uuid"] for one in every]}
