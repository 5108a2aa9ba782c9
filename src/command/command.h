// SPDX-License-Identifier: Apache-2.0
// The subcommands of the program: `breakeven NAME [OPTION...]`. One file each: src/command/answer/NAME.cpp
// works from results files, src/command/measure/NAME.cpp starts ranks.
#pragma once

#include "src/core/failure.h"

namespace breakeven::command {

// argv[0] is the subcommand's name. Bad usage is answered by one sentence on stderr (rank 0 alone) and
// ExitCode::usage as the return value; everything else that goes wrong is a thrown Failure.
ExitCode run_command(int argc, char** argv);
ExitCode report_command(int argc, char** argv);
ExitCode advise_command(int argc, char** argv);
ExitCode predict_command(int argc, char** argv);
ExitCode compare_command(int argc, char** argv);
ExitCode trace_command(int argc, char** argv);
ExitCode trace_kernels_command(int argc, char** argv);  // `trace --kernels`, which measures
ExitCode merge_command(int argc, char** argv);
ExitCode repair_command(int argc, char** argv);
ExitCode check_command(int argc, char** argv);
ExitCode wrap_command(int argc, char** argv);
ExitCode verify_command(int argc, char** argv);
ExitCode topology_command(int argc, char** argv);
ExitCode collectives_command(int argc, char** argv);
ExitCode kernels_command(int argc, char** argv);
ExitCode matmul_command(int argc, char** argv);

}  // namespace breakeven::command
