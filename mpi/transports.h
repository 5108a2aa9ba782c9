// SPDX-License-Identifier: Apache-2.0
// The table of transports: where each can be used, and how to make its communicator. To add one, name it in
// src/core/transport.h and write its file, which defines the communicator and describe_transport(). That of
// transports between GPUs stands in gpu_transports.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mpi/communicator.h"
#include "mpi/session.h"
#include "src/core/text/usage.h"
#include "src/core/transport.h"

namespace breakeven {

// What decides whether a transport can be used.
struct TransportSite {
  bool cuda = false;        // the ranks compute on GPUs
  bool share_gpus = false;  // some ranks share a GPU
  bool is_one_host = true;
};

struct TransportInfo {
  Transport transport;
  int preference;                                      // of `auto`: the first in this order that can be used
  std::string (*obstacle)(const TransportSite& site);  // why it cannot be used there, or ""
  bool (*capturable)(const TransportSite& site);       // its calls may be captured into a graph
  // What fails where there is no such obstacle, the same on every rank, or "". Collective.
  std::string (*trial)(MPI_Comm group) = [](MPI_Comm) { return std::string(); };
  std::unique_ptr<Communicator> (*make)(MPI_Comm group, Device& device);
};

template <Transport transport>
TransportInfo describe_transport();

// In the order of preference.
std::span<const TransportInfo> transports();
const TransportInfo& info_of(Transport transport);

TransportSite site_of(const Session& session, const Device& device, bool share_gpus);
std::vector<Transport> usable_transports(const TransportSite& site);
std::vector<std::string> transport_words();  // "auto" and the names

// The transport that an option's value means at a site, or why it cannot be used there.
std::variant<Transport, UsageError> choose_transport(std::string_view option, std::string_view word,
                                                     const TransportSite& site);

// `group` is borrowed and must outlive the communicator; so must the device. Collective over the group.
std::unique_ptr<Communicator> make_communicator(Transport transport, MPI_Comm group, Device& device);

// The libraries' own version strings.
std::string nccl_version();         // "2.28.9"; "none" in a build without NCCL
std::string mpi_library_version();  // "Open MPI v4.1.4, package: ..."

}  // namespace breakeven
