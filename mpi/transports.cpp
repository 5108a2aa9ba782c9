// SPDX-License-Identifier: Apache-2.0
#include "mpi/transports.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "mpi/mpi_call.h"
#include "src/core/failure.h"
#include "src/core/records/message_times.h"
#include "src/core/text/usage.h"

namespace breakeven {
namespace {

// Describes all transports but Transport::none.
template <std::size_t... places>
std::vector<TransportInfo> describe_all(std::index_sequence<places...>) {
  return {describe_transport<transport_at(places)>()...};
}

}  // namespace

std::span<const TransportInfo> transports() {
  static const std::vector<TransportInfo> table = [] {
    std::vector<TransportInfo> all = describe_all(std::make_index_sequence<probed_transports.size()>());
    std::ranges::sort(all, {}, &TransportInfo::preference);
    return all;
  }();
  return table;
}

const TransportInfo& info_of(Transport transport) {
  const auto found = std::ranges::find(transports(), transport, &TransportInfo::transport);
  if (found == transports().end())
    throw Failure(ExitCode::usage,
                  fmt::format("the transport '{}' does not communicate", name_of(transport)));
  return *found;
}

TransportSite site_of(const Session& session, const Device& device, bool share_gpus) {
  return {.cuda = device.info().is_gpu(),
          .share_gpus = share_gpus,
          .is_one_host = session.node_size() == session.size()};
}

std::vector<Transport> usable_transports(const TransportSite& site) {
  std::vector<Transport> usable;
  for (const TransportInfo& info : transports()) {
    if (info.obstacle(site).empty()) usable.push_back(info.transport);
  }
  return usable;
}

std::vector<std::string> transport_words() {
  std::vector<std::string> words{"auto"};
  for (const TransportInfo& info : transports()) words.emplace_back(name_of(info.transport));
  return words;
}

std::variant<Transport, UsageError> choose_transport(std::string_view option, std::string_view word,
                                                     const TransportSite& site) {
  const Transport preferred = usable_transports(site).front();
  if (word == "auto") return preferred;
  for (const TransportInfo& info : transports()) {
    if (name_of(info.transport) != word) continue;
    const std::string obstacle = info.obstacle(site);
    if (obstacle.empty()) return info.transport;
    return UsageError{fmt::format("--{} {} {}. Use {}", option, word, obstacle, name_of(preferred))};
  }
  return UsageError{problem_of_word(option, word, transport_words())};
}

std::unique_ptr<Communicator> make_communicator(Transport transport, MPI_Comm group, Device& device) {
  return info_of(transport).make(group, device);
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
