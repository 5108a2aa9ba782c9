// SPDX-License-Identifier: Apache-2.0
// Machines side by side: a row for each model that all of them measured, and for each that trained until the
// same quality.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/report/format/table.h"
#include "src/report/machines/machine_cases.h"
#include "src/report/words/verdicts.h"

namespace breakeven::report {

// A case, and what it is the least of: "fastest", "cheapest".
struct JudgedChoice {
  std::string word;
  JudgedCase is;
};
using JudgedChoices = std::vector<JudgedChoice>;

// A row: whether more GPUs of a machine pay for a model, and at the batch that all machines have what is
// fastest and cheapest. Without a verdict where no case on more GPUs was compared.
struct ModelRow {
  const NamedMachine* machine = nullptr;
  std::string model;
  const Verdict* verdict = nullptr;
  std::optional<JudgedChoice> choice;
};

struct SideBySide {
  explicit SideBySide(const std::vector<NamedMachine>& all);

  const std::string& quality() const { return machines.front().file->quality(); }
  bool has_one_quality() const {
    return !quality().empty() && std::ranges::all_of(machines, [&](const NamedMachine& one) {
      return one.file->quality() == quality();
    });
  }

  const std::vector<NamedMachine>& machines;
  std::vector<std::string> models;
  std::vector<std::vector<Verdict>> verdicts;  // of each machine
  std::vector<ModelRow> rows;
  JudgedChoices to_quality;  // of the models that reached it

 private:
  // The verdict of a choice is that of its settings and number of GPUs; of one GPU the first of its settings.
  const Verdict* verdict_of(std::size_t machine, const JudgedCase& one) const;
  void add_rows(std::size_t machine, const std::string& model, std::optional<std::uint32_t> batch);
};

// side_by_side_tables.cpp: for people, and for programs.
ReportTable side_by_side_table(const SideBySide& all);
ReportTable tidy_side_by_side(const SideBySide& all);
ReportTable side_by_side_quality_table(const SideBySide& all);
ReportTable tidy_side_by_side_quality(const SideBySide& all);

}  // namespace breakeven::report
