// SPDX-License-Identifier: Apache-2.0
// `breakeven advise` with the files of several machines: which of them trains the job fastest, and which
// cheapest, before a deadline if there is one. As text, Markdown, CSV (the rows alone) or JSON.
#pragma once

#include <string>
#include <vector>

#include "src/report/advice/advice_report.h"
#include "src/report/machines/machine_differences.h"

namespace breakeven::report {

struct AskedMachine : NamedMachine {
  AdviceRequest request;  // with its own price and memory; the job is the same for all
};

// Throws Failure(file) where no machine's file can answer, and Failure(usage) for more GPUs than any
// measured.
std::string make_machine_advice(const std::vector<AskedMachine>& machines, ReportFormat format);

}  // namespace breakeven::report
