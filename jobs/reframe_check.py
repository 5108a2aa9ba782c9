# SPDX-License-Identifier: Apache-2.0
"""A ReFrame check: runs one suite on a node's GPUs and passes if every run is finished and verified. Each case has one
figure of merit, in samples/s.

    reframe -C SITE.py -c jobs/reframe_check.py -r --performance-report

Costs: the quick suite takes seconds on 2 GPUs. Another suite or number of GPUs: -S suite=jobs/suites/seed.ini -S gpus=4.
The site's configuration sets the launcher, the partition and how to request GPUs. Put a system's reference values into
`reference`. Without reference values the check records the speeds and compares them with nothing.
"""

import pathlib
import re

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import run_after, run_before, sanity_function, variable

PROJECT = pathlib.Path(__file__).resolve().parents[1]


@rfm.simple_test
class BreakevenCheck(rfm.RunOnlyRegressionTest):
    descr = "Do more GPUs pay?"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    sourcesdir = None
    program = variable(str, value=str(PROJECT / "build/release/bin/breakeven"))
    suite = variable(str, value=str(PROJECT / "jobs/suites/quick.ini"))
    gpus = variable(int, value=2)
    options = variable(str, value="")  # more of `breakeven run`

    @run_after("init")
    def set_command(self):
        self.executable = self.program
        self.executable_opts = ["run", "--config", self.suite, "--output results.h5", self.options]
        self.postrun_cmds = [f"{self.program} report results.h5 --sections fom,provenance"]
        self.num_tasks = self.num_tasks_per_node = self.num_gpus_per_node = self.gpus

    @sanity_function
    def every_run_is_verified(self):
        runs = r"Runs: (\S+) done of (\S+) planned, (\S+) of them read back and verified"
        done, planned, verified = sn.extractsingle(runs, self.stdout, (1, 2, 3))
        return sn.all([sn.assert_eq(done, planned), sn.assert_eq(verified, planned)])

    @run_before("performance")
    def read_figures_of_merit(self):
        output = (pathlib.Path(self.stagedir) / sn.evaluate(self.stdout)).read_text()
        for case, rate in re.findall(r"^FOM (.+) samples_per_second: (\S+)", output, re.MULTILINE):
            self.perf_variables[case] = sn.make_performance_function(sn.defer(float(rate)), "samples/s")
