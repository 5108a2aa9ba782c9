// SPDX-License-Identifier: Apache-2.0
// A job on each of several machines: which configurations of each are worth a row, and which is the best of
// all.
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "src/report/advice/advice_break_evens.h"
#include "src/report/machines/machine_advice.h"

namespace breakeven::report {

struct MachineAnswer {
  explicit MachineAnswer(const AskedMachine& asked);

  const AskedMachine& asked;
  predict::Advisor advisor;
  std::vector<predict::Configuration> configs;
  std::vector<predict::JobEstimate> jobs;
  Turning along_batches{};  // of the fastest; without places where nothing is known
};

// A row: a configuration of a machine, and why it is named. Without a job where nothing is known.
struct JobChoice {
  const MachineAnswer* machine = nullptr;
  std::string_view word = "";
  const predict::JobEstimate* job = nullptr;
};

struct MachineAnswers {
  explicit MachineAnswers(const std::vector<AskedMachine>& asked);

  bool has_deadline() const { return job.deadline_seconds > 0; }
  bool has_prices() const { return job.cost.a_gpu > 0; }

  const MachineAnswer& machine_of(const predict::JobEstimate& one) const;

  const std::vector<AskedMachine>& asked;
  const predict::Job& job;             // of the first machine: its price is no other's
  std::deque<MachineAnswer> machines;  // they stay where they are
  std::vector<NamedMachine> named;
  std::vector<predict::JobEstimate> all;
  std::vector<JobChoice> choices;
  const predict::JobEstimate* best = nullptr;

 private:
  void add_choices(const MachineAnswer& machine);
};

// machine_answer_tables.cpp: for people, and for programs.
ReportTable machine_answer_table(const MachineAnswers& answers);
ReportTable tidy_machine_answers(const MachineAnswers& answers);

}  // namespace breakeven::report
