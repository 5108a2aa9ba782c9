// SPDX-License-Identifier: Apache-2.0
// The transports as one table: where each can be used, and how a communicator over it is made. To add one,
// name it in src/core/axis_values.h; its own file defines the communicator and describe_transport().
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mpi/communicator.h"
#include "src/core/axis_values.h"
#include "src/core/text/usage.h"

namespace breakeven {

// What decides whether a transport can be used.
struct TransportSite {
  bool cuda = false;        // the ranks compute on GPUs
  bool share_gpus = false;  // and some on the same one
};

struct TransportInfo {
  Transport transport;
  int place;                                           // in the order of preference
  std::string (*obstacle)(const TransportSite& site);  // why it cannot be used there, or ""
  bool (*capturable)(const TransportSite& site);       // its calls may be part of a graph
  std::unique_ptr<Communicator> (*make)(MPI_Comm group, Device& device, double timeout_seconds);
};

// Defined by the file of each transport.
template <Transport transport>
TransportInfo describe_transport();

// By place: `auto` means the first that can be used.
std::span<const TransportInfo> transports();
const TransportInfo& info_of(Transport transport);

TransportSite site_of(const Device& device, bool share_gpus);
std::vector<Transport> usable_transports(const TransportSite& site);
std::vector<std::string> transport_words();  // "auto" and the names

// The transport that an option's word means at a site, or why it cannot be used there.
std::variant<Transport, UsageError> choose_transport(std::string_view option, std::string_view word,
                                                     const TransportSite& site);

// `group` is borrowed and must outlive the communicator; so must the device. Collective over the group.
std::unique_ptr<Communicator> make_communicator(Transport transport, MPI_Comm group, Device& device,
                                                double timeout_seconds);

}  // namespace breakeven
