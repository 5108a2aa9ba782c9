// SPDX-License-Identifier: Apache-2.0
// `breakeven report` with the files of several machines: of each model that all of them measured, whether
// more GPUs pay on each, what a sample costs, and what training to the same quality takes. As text, Markdown,
// CSV (the rows alone) or JSON.
#pragma once

#include <string>
#include <vector>

#include "src/report/format/report_format.h"
#include "src/report/machines/machine_differences.h"

namespace breakeven::report {

// Throws Failure(file) where no model was measured on every machine. `docs` is the address of the docs, which
// Markdown links; "": no links.
std::string make_machine_report(const std::vector<NamedMachine>& machines, ReportFormat format,
                                const std::string& docs = "");

}  // namespace breakeven::report
