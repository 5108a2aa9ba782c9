# SPDX-License-Identifier: Apache-2.0
"""A separate Slurm cluster on this machine: two nodes on loopback with their own key, ports and folder, removed after the
test. It neither reads nor starts an installed Slurm service."""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import time

DAEMONS = ("munged", "slurmctld", "slurmd")
CLIENTS = ("sbatch", "srun", "scontrol", "scancel", "squeue")
NODES = ("node1", "node2")
CORES = 4  # per node; may be more than the machine has
GPUS = ("/dev/zero", "/dev/full", "/dev/null", "/dev/random")  # Slurm needs a device file for each

CONFIGURATION = """
ClusterName=breakeven
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
# A job that is queued again waits until its credentials have expired.
AuthInfo=socket={folder}/munge/socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
TmpFS={folder}/tmp-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=2
GresTypes=gpu
KillWait=5
ReturnToService=2
NodeName={nodes[0]} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs={cores} Gres=gpu:{gpus}
NodeName={nodes[1]} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs={cores} Gres=gpu:{gpus}
PartitionName=test Nodes=ALL Default=YES State=UP
"""


def missing_for_a_cluster() -> str:
    """Why a cluster cannot run here, in one sentence; "" if it can."""
    if os.geteuid() != 0:
        return "a separate Slurm cluster needs root"
    missing = [name for name in (*DAEMONS, *CLIENTS) if shutil.which(name) is None]
    return f"Slurm or munge is not installed ({', '.join(missing)} not found)" if missing else ""


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    """Runs inside its `with` block."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.daemons: list[subprocess.Popen] = []
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}

    def __enter__(self) -> "Cluster":
        self.configure()
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def configure(self) -> None:
        for name in ("state", "munge", *(f"{kind}-{node}" for kind in ("spool", "tmp") for node in NODES)):
            (self.folder / name).mkdir()
        for folder in (self.folder, self.folder / "munge"):
            folder.chmod(0o755)
        key = self.folder / "munge" / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], ports=free_ports(3), folder=self.folder, nodes=NODES, cores=CORES,
            gpus=len(GPUS)))
        (self.folder / "gres.conf").write_text(f"NodeName={','.join(NODES)} Name=gpu File={','.join(GPUS)}\n")

        version = re.search(r"(\d+)\.(\d+)", self.ask("sbatch", "--version"))
        if version and tuple(map(int, version.groups())) >= (23, 11):  # older ones touch no cgroups unless asked to
            (self.folder / "cgroup.conf").write_text("CgroupPlugin=disabled\n")

    def start(self) -> None:
        munge = self.folder / "munge"
        self.spawn("munged", "--foreground", "--force", f"--key-file={munge}/key", f"--socket={munge}/socket",
                   f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed", "--num-threads=2")
        self.wait_for(lambda: (munge / "socket").exists(), "munged's socket")
        self.spawn("slurmctld", "-D", "-c")
        for node in NODES:
            self.spawn("slurmd", "-D", "-N", node)
        self.wait_for(lambda: self.ask("sinfo", "--noheader", "--format=%T").split() == ["idle"], "two idle nodes")

    def spawn(self, *command: str) -> None:
        with open(self.folder / f"{command[0]}-{len(self.daemons)}.log", "w") as log:
            self.daemons.append(subprocess.Popen(command, env=self.environment, stdout=log, stderr=log,
                                                 stdin=subprocess.DEVNULL, start_new_session=True))

    def stop(self) -> None:
        """Ends the jobs first, then the daemons, the last started first."""
        if len(self.daemons) > 1:
            self.ask("scancel", "--partition=test", "--signal=KILL", "--full")
            self.ask("scancel", "--partition=test")
            deadline = time.monotonic() + 15
            while self.ask("squeue", "--noheader").strip() and time.monotonic() < deadline:
                time.sleep(0.2)
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def logs(self) -> str:
        return "\n".join(f"== {log.name}\n{log.read_text()[-2000:]}" for log in sorted(self.folder.glob("*.log")))

    def wait_for(self, condition, what: str, seconds: float = 30) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, f"no {what} after {seconds} s\n{self.logs()}"
            time.sleep(0.1)

    def ask(self, *command: str) -> str:
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60).stdout

    def run(self, *command: str, folder: pathlib.Path, **variables: str) -> str:
        """The output of a client command, which must succeed."""
        done = subprocess.run(command, env={**self.environment, **variables}, cwd=folder, capture_output=True, text=True,
                              timeout=60)
        assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def field(self, job: str, name: str) -> str:
        """A field of `scontrol show job`; "" if Slurm does not know the job."""
        found = re.search(rf"\b{name}=(\S+)", self.ask("scontrol", "show", "job", job))
        return found[1] if found else ""

    def wait_for_end(self, job: str, seconds: float) -> str:
        """The final state of the job, such as COMPLETED; for an array, the states of all its jobs."""
        ended = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY")
        states: list[str] = []

        def is_over() -> bool:
            states[:] = sorted(set(re.findall(r"JobState=(\S+)", self.ask("scontrol", "show", "job", job))))
            return bool(states) and all(state in ended for state in states)

        self.wait_for(is_over, f"end of job {job}", seconds)
        return " ".join(states)
