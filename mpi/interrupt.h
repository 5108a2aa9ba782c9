// SPDX-License-Identifier: Apache-2.0
// Requests to stop, from a batch system near its time limit or from the user.
#pragma once

namespace breakeven {

// From now on the first SIGTERM, SIGINT or SIGUSR1 only sets a flag, so the current run can be finished and
// written. A second one ends the process at once with ExitCode::interrupted. Ask a launcher for SIGUSR1
// (`srun --signal=USR1@120`; mpirun passes it on): after SIGTERM or SIGINT, Open MPI's mpirun kills its ranks
// within a second unless --mca odls_base_sigkill_timeout says otherwise.
void install_interrupt_handler();

// Whether this rank has been asked to stop. Ranks learn of it at different times: agree before acting on it.
bool interrupted();

}  // namespace breakeven
