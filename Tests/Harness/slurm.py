"""A Slurm cluster of one node: slurmctld and slurmd on ports of the loopback interface, run by the current user."""

import getpass
import os
import shutil
import subprocess
from tempfile import TemporaryDirectory

from waiting import TIMEOUT, until
from web_server import free_port

CONFIGURATION = """
ClusterName=local
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller}
SlurmdPort={daemon}
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
KillWait=2
SlurmdParameters=config_overrides
MinJobAge=600
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/controller
SlurmdSpoolDir={spool}
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=16000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    def __init__(self, folder, cpus=2):
        self.folder = folder
        (folder / "controller").mkdir(parents=True)
        # The paths of the sockets there, which end with the name of the host, may have at most 107 bytes.
        self._spool = TemporaryDirectory()
        self.host = os.uname().nodename.partition(".")[0]
        (folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=self.host, user=getpass.getuser(), controller=free_port(), daemon=free_port(), folder=folder,
            spool=self._spool.name, cpus=cpus))
        self._processes = [self._start("slurmctld"), self._start("slurmd", "-N", self.host)]
        until(
            lambda: self.run("sinfo", "-h", "-o", "%t").strip() == "idle", self._processes[1], pause=0.2,
            what="an idle node")

    def environment(self):
        return os.environ | {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def _start(self, name, *arguments):
        program = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
        assert program, f"{name} is not installed; make test installs it"
        return subprocess.Popen(
            [program, "-D", *arguments], env=self.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def run(self, *command, cwd=None, env=None, check=False):
        """Runs a command of Slurm and returns its output."""
        run = subprocess.run(
            [*map(str, command)], cwd=cwd, env=self.environment() | (env or {}), capture_output=True, text=True)
        assert not check or run.returncode == 0, run.stdout + run.stderr
        return run.stdout

    def submit(self, *arguments, cwd, env):
        """Submits a job with an environment of its own, and returns its number."""
        return self.run("sbatch", "--parsable", *arguments, cwd=cwd, env=env, check=True).strip()

    def states(self, job):
        """The state of each task of a job: index → "RUNNING", "COMPLETED", "FAILED", and so on."""
        lines = self.run("squeue", "-h", "-r", "-t", "all", "-j", job, "-o", "%K %T", check=True).splitlines()
        return dict(line.split() for line in lines)

    def wait(self, job):
        """The states of a job's tasks when all have ended."""
        ended = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL"}

        def finished():
            states = self.states(job)
            return states if states and set(states.values()) <= ended else None

        return until(finished, pause=0.2, what=f"the end of job {job}")

    def close(self):
        self.run("scancel", "--signal=KILL", "--full", "-u", getpass.getuser())
        for process in reversed(self._processes):
            process.terminate()
            process.wait(TIMEOUT)
        self._spool.cleanup()
