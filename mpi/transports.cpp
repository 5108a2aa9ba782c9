// SPDX-License-Identifier: Apache-2.0
#include "mpi/transports.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "mpi/mpi_call.h"
#include "src/core/failure.h"
#include "src/core/text/legal_words.h"

namespace breakeven {
namespace {

bool always(const TransportSite&) { return true; }
bool on_the_host(const TransportSite& site) { return !site.cuda; }

std::string no_obstacle(const TransportSite&) { return ""; }

std::string obstacle_to_nccl(const TransportSite& site) {
  if (site.share_gpus) return "refuses ranks that share a GPU";
  return site.cuda && nccl_version() != "none" ? "" : "needs the cuda backend and a build with NCCL";
}

constexpr std::array table{
    TransportInfo{.transport = Transport::nccl,
                  .obstacle = obstacle_to_nccl,
                  .capturable = always,
                  .make = make_nccl_communicator},
    TransportInfo{
        .transport = Transport::mpi,
        .obstacle = no_obstacle,
        .capturable = on_the_host,
        .make = [](MPI_Comm group, Device& device, double) { return make_mpi_communicator(group, device); }},
};

}  // namespace

std::span<const TransportInfo> transports() { return table; }

const TransportInfo& info_of(Transport transport) {
  const auto found = std::ranges::find(table, transport, &TransportInfo::transport);
  if (found == table.end())
    throw Failure(ExitCode::usage,
                  fmt::format("the transport '{}' does not communicate", name_of(transport)));
  return *found;
}

TransportSite site_of(const Device& device, bool share_gpus) {
  return {.cuda = device.info().backend == "cuda", .share_gpus = share_gpus};
}

std::vector<Transport> usable_transports(const TransportSite& site) {
  std::vector<Transport> usable;
  for (const TransportInfo& info : table) {
    if (info.obstacle(site).empty()) usable.push_back(info.transport);
  }
  return usable;
}

std::vector<std::string> transport_words() {
  std::vector<std::string> words{"auto"};
  for (const TransportInfo& info : table) words.emplace_back(name_of(info.transport));
  return words;
}

std::variant<Transport, UsageError> choose_transport(std::string_view option, std::string_view word,
                                                     const TransportSite& site) {
  const Transport preferred = usable_transports(site).front();
  if (word == "auto") return preferred;
  for (const TransportInfo& info : table) {
    if (name_of(info.transport) != word) continue;
    const std::string obstacle = info.obstacle(site);
    if (obstacle.empty()) return info.transport;
    return UsageError{fmt::format("--{} {} {}. Use {}", option, word, obstacle, name_of(preferred))};
  }
  return UsageError{problem_of_word(option, word, transport_words())};
}

std::unique_ptr<Communicator> make_communicator(Transport transport, MPI_Comm group, Device& device,
                                                double timeout_seconds) {
  return info_of(transport).make(group, device, timeout_seconds);
}

std::string mpi_library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length = 0;
  MPI_CALL(MPI_Get_library_version(text, &length));
  std::string line = text;
  line = line.substr(0, line.find('\n'));
  return line.substr(0, line.find_last_not_of(" \t\r,") + 1);
}

}  // namespace breakeven
