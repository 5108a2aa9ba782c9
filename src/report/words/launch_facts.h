// SPDX-License-Identifier: Apache-2.0
// Where the figures of a report come from: machine, command, revision, versions, settings, environment. One
// table of facts, from which a report's items, its JSON and the comparison of two files are made. A fact
// about a launch is one row of launch_facts.cpp.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "src/core/records/results.h"
#include "src/report/format/declared_table.h"
#include "src/report/format/document.h"

namespace breakeven::report {

// "Provenance": the facts of all launches, one item each. What is the same in several launches stands once.
std::vector<std::string> provenance(const Results& results);

// What ends the report of a benchmark: command, revision, versions, settings and time, one item each.
void add_launch_items(const Launch& launch, Document& document);

// The facts as an object, and the columns that describe its keys.
nlohmann::ordered_json launch_as_json(const Launch& launch);
DeclaredColumns launch_columns();

// One fact of all launches, as a text: "3f2a1c0 ; 77be901". What neighbours have in common stands once.
std::string in_all_launches(const Results& results, std::string Launch::*fact);

// The facts of every launch with its ranks, their rooflines and the links between them.
nlohmann::ordered_json launches_as_json(const Results& results);

// One fact in the words of all launches of each file, each once: "13.0; 13.1". "" if none recorded it.
struct LaunchDifference {
  std::string fact;  // "version of cuda"
  std::string before;
  std::string after;
};

// Machine, hosts, links by kind, revision, versions, settings, environment, in this order. Speeds of links
// and devices are measured and always differ, so they are not compared.
std::vector<LaunchDifference> launch_differences(const Results& before, const Results& after);

}  // namespace breakeven::report
