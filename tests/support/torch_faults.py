# SPDX-License-Identifier: Apache-2.0
"""One rank of PyTorch on processor cores. Prints what each check of results/side_by_side/torch_several.py says: of sound
training, and of training with a planted fault."""
import itertools
import json
import math
import pathlib
import sys
from functools import partial

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "results"))
from side_by_side import torch_several  # noqa: E402
from side_by_side.torch_ranks import Ranks  # noqa: E402
from side_by_side.torch_several import RanksTrainer, check_against_one, check_compiled, check_training  # noqa: E402
from side_by_side.torch_trainer import Configuration  # noqa: E402


class Alone(RanksTrainer):
    """Every rank trains its own rows and tells nobody."""

    def prepare_loss(self):
        self.model = torch_several.loss_module(self.torch, self.network)


class AloneUnseen(Alone):
    def check_parameters(self):
        pass


def configuration(precision, mode="ddp"):
    return Configuration("33-17-5", 12, precision, mode)


def trained(ranks, spoil=None):
    trainer = RanksTrainer(configuration("fp32"), ranks)
    first_loss = trainer.mean_loss()
    for _ in range(60):
        trainer.step()
    if ranks.rank == 1 and spoil:
        with ranks.torch.no_grad():
            spoil(ranks.torch, trainer.network[0].bias[:1])
    return trainer, first_loss


def one_bit(torch, value):
    value.copy_(torch.nextafter(value, value + 1))


def said(check):
    try:
        check()
    except RuntimeError as error:
        return str(error)
    return "sound"


def main():
    ranks = Ranks("cpu")
    found = {}
    for mode, precision in itertools.product(("ddp", "fsdp"), ("fp32", "bf16")):
        found[f"{mode} {precision}"] = said(partial(check_against_one, ranks, configuration(precision, mode)))
    found["no exchange"] = said(lambda: check_against_one(ranks, configuration("fp32"), Alone))
    for precision in ("fp32", "bf16"):
        found[f"no exchange, by losses {precision}"] = said(
            partial(check_against_one, ranks, configuration(precision), AloneUnseen))
    for name, spoil in (("one bit", one_bit), ("not a number", lambda _, value: value.fill_(math.nan))):
        found[name] = said(trained(ranks, spoil)[0].check_parameters)
    trainer, first_loss = trained(ranks)
    found["trained"] = said(lambda: check_training(trainer, first_loss))
    found["does not fall"] = said(lambda: check_training(trainer, 0.0))
    ranks.torch._dynamo.utils.counters.clear()
    found["nothing compiled"] = said(lambda: check_compiled(ranks.torch, "ddp-compile"))
    if ranks.rank == 0:
        print(json.dumps(found), flush=True)
    ranks.end()


if __name__ == "__main__":
    main()
