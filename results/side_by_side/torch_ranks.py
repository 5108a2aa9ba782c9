# SPDX-License-Identifier: Apache-2.0
"""The processes of PyTorch that mpirun started, one for each GPU: how they find each other, agree and end."""
import datetime
import itertools
import json
import os
import signal
import time


def ranks_of_launch(environment=os.environ):
    return int(environment.get("OMPI_COMM_WORLD_SIZE", "1"))


def limit(seconds):
    """Ends this process when the time is over, also when it hangs in a collective call that no one else joins. 0: no
    limit."""
    signal.alarm(seconds)


class Ranks:
    """The words between ranks go through PyTorch's store, apart from the collective calls that are measured."""

    def __init__(self, device):
        import torch
        from torch import distributed
        self.torch, self.distributed = torch, distributed
        self.device = device
        self.rank, self.ranks = int(os.environ["OMPI_COMM_WORLD_RANK"]), ranks_of_launch()
        local_rank = int(os.environ["OMPI_COMM_WORLD_LOCAL_RANK"])
        os.environ.update(RANK=str(self.rank), WORLD_SIZE=str(self.ranks), LOCAL_RANK=str(local_rank))
        self._names = itertools.count()
        # A rank waits here for the next configuration while breakeven is measured.
        self._store = distributed.TCPStore(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]), self.ranks,
                                           is_master=self.rank == 0, timeout=datetime.timedelta(days=1))
        if device == "cuda":
            if torch.cuda.device_count() < self.ranks:
                raise RuntimeError(f"PyTorch sees {torch.cuda.device_count()} GPUs for {self.ranks} ranks")
            torch.cuda.set_device(local_rank)
        gpu = torch.device("cuda", local_rank) if device == "cuda" else None
        distributed.init_process_group("nccl" if gpu else "gloo", store=self._store, rank=self.rank,
                                       world_size=self.ranks, device_id=gpu)

    def lines(self, source):
        """The lines that rank 0 reads, on all ranks."""
        while True:
            name = f"line {next(self._names)}"
            if self.rank == 0:
                self._store.set(name, source.readline())
            line = self._store.get(name).decode()
            if not line:
                return
            yield line

    def gather(self, value):
        """The values of all ranks in their order, on every rank."""
        name = f"value {next(self._names)}"
        self._store.set(f"{name} of {self.rank}", json.dumps(value))
        return [json.loads(self._store.get(f"{name} of {rank}")) for rank in range(self.ranks)]

    def mean(self, value):
        return sum(self.gather(value)) / self.ranks

    def slowest(self, seconds):
        return max(self.gather(seconds))

    def meet(self):
        self.distributed.barrier()
        if self.device == "cuda":
            self.torch.cuda.synchronize()

    def end(self):
        """Rank 0 holds the store, so it leaves last. Without destructors: those of communicators can wait for each
        other."""
        limit(10)
        if self.rank == 0:
            for rank in range(1, self.ranks):
                self._store.get(f"rank {rank} leaves")
        else:
            self._store.set(f"rank {self.rank} leaves", "")
        os._exit(0)


def fail():
    """The other ranks wait for this one, so mpirun has to end them. It first passes on what this rank printed."""
    time.sleep(1)
    os._exit(1)
