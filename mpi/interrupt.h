// SPDX-License-Identifier: Apache-2.0
// Being asked to stop: by a batch system near its time limit, or by hand.
#pragma once

namespace breakeven {

// From now on the first SIGTERM, SIGINT or SIGUSR1 only sets a flag, so that the current run can be finished
// and written; a second one ends the process at once with ExitCode::interrupted. SIGUSR1 is what to ask a
// launcher for (`srun --signal=USR1@120`; mpirun passes it on): after SIGTERM or SIGINT, Open MPI's mpirun
// kills its ranks within a second unless told otherwise (--mca odls_base_sigkill_timeout).
void install_interrupt_handler();

// Whether this rank has been asked. Ranks learn of it at different moments: agree before acting on it.
bool interrupted();

}  // namespace breakeven
