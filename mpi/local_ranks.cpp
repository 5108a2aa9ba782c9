// SPDX-License-Identifier: Apache-2.0
#include "mpi/local_ranks.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace breakeven {
namespace {

namespace fs = std::filesystem;

std::string proc_file(pid_t process, const std::string& name) {
  std::ifstream file("/proc/" + std::to_string(process) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The value of a variable in /proc/PID/environ, "NAME=value\0NAME=value\0"; "" if it is not set.
std::string variable_of(const std::string& environment, const std::string& name) {
  const std::string searched = '\0' + name + '=';
  const std::size_t place = ('\0' + environment).find(searched);
  if (place == std::string::npos) return "";
  return environment.c_str() + place + searched.size() - 1;
}

int rank_named_in(const std::string& text) {
  int rank = -1;
  std::from_chars(text.data(), text.data() + text.size(), rank);
  return rank;
}

std::uint64_t context_switches(pid_t process) {
  std::istringstream lines(proc_file(process, "status"));
  std::uint64_t sum = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t value = line.find("ctxt_switches:");
    if (value != std::string::npos) sum += std::strtoull(line.c_str() + value + 14, nullptr, 10);
  }
  return sum;
}

std::string program_of(pid_t process) {
  std::error_code none;
  return fs::read_symlink("/proc/" + std::to_string(process) + "/exe", none).string();
}

bool is_named(pid_t process, const std::string& name) { return proc_file(process, "comm") == name + "\n"; }

bool is_silent(const LocalRank& rank, const std::vector<LocalRank>& before) {
  const auto old = std::ranges::find(before, rank.process, &LocalRank::process);
  return old != before.end() && old->work == rank.work && rank.state != 'R';
}

}  // namespace

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  const std::string full = name;
  return full.substr(0, full.find('.'));
}

int rank_by_environment() {
  const char* const text = std::getenv("PMIX_RANK");
  return text == nullptr ? -1 : rank_named_in(text);
}

// The name in parentheses may have spaces and parentheses itself. The state is the third field, user and
// system time are the 14th and 15th (proc(5)).
std::optional<LocalRank> look_at(pid_t process) {
  const std::string stat = proc_file(process, "stat");
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(stat.substr(name_end + 1));
  LocalRank found{.process = process};
  fields >> found.state;
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  std::string skipped;
  for (int field = 4; field < 14; ++field) fields >> skipped;
  fields >> user >> system;
  found.work = user + system + context_switches(process);
  return found;
}

std::vector<LocalRank> local_ranks(pid_t mine, const std::string& except) {
  const char* const launch = std::getenv("PMIX_NAMESPACE");
  const std::string program = program_of(mine);
  std::vector<LocalRank> ranks;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", none)) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    if (process <= 0 || program_of(process) != program) continue;
    const std::string environment = proc_file(process, "environ");
    const bool of_launch = launch != nullptr && variable_of(environment, "PMIX_NAMESPACE") == launch;
    if ((process != mine && !of_launch) || is_named(process, except)) continue;
    std::optional<LocalRank> found = look_at(process);
    if (!found || found->state == 'Z' || found->state == 'X') continue;
    found->rank = rank_named_in(variable_of(environment, "PMIX_RANK"));
    ranks.push_back(*found);
  }
  if (std::ranges::find(ranks, mine, &LocalRank::process) == ranks.end())  // /proc does not tell
    ranks.push_back({.process = mine, .rank = rank_by_environment(), .state = 'R'});
  std::ranges::sort(ranks, {}, &LocalRank::rank);
  return ranks;
}

const LocalRank* silent_rank(const std::vector<LocalRank>& before, const std::vector<LocalRank>& now) {
  auto found = std::ranges::find_if(now, &LocalRank::is_stopped);
  if (found == now.end())
    found = std::ranges::find_if(now, [&](const LocalRank& rank) { return is_silent(rank, before); });
  return found == now.end() ? nullptr : &*found;
}

}  // namespace breakeven
