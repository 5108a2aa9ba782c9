// SPDX-License-Identifier: Apache-2.0
// What describes a launch: its settings, machine, links, roofline and communication calls.
#include "src/hdf5/variable_rows.h"

namespace breakeven::hdf5 {

std::vector<Variable> launch_variables() {
  using enum Dimension;
  return {
      per_launch("started", "", "start in UTC, ISO 8601", &Launch::started),
      per_launch("command_line", "", "command line of the program", &Launch::command_line),
      per_launch("git_revision", "", "revision of the sources, with -dirty if they were changed",
                 &Launch::git_revision),
      per_launch("versions", "", "versions of the program and its libraries, a JSON object",
                 &Launch::versions),
      per_launch("settings", "", "options that are not axes, a JSON object", &Launch::settings),
      per_launch("environment", "", "environment variables that matter, a JSON object", &Launch::environment),
      // The reader makes room for the ranks and links below when it meets their number here.
      per_launch("ranks", "1", "ranks of the launch", &Topology::ranks),
      per_device("host", "", "host of the rank", &RankInfo::host),
      per_device("backend", "", "kind of device: cuda or host", &DeviceInfo::backend),
      per_device("gpu_name", "", "name of the device", &DeviceInfo::name),
      per_device("gpu_uuid", "", "UUID of the GPU, as nvidia-smi prints it", &DeviceInfo::uuid),
      per_device("pci_address", "", "PCI address of the GPU", &DeviceInfo::pci_address),
      per_device("multiprocessors", "1", "multiprocessors, or cores on the host",
                 &DeviceInfo::multiprocessors),
      per_device("compute_capability", "1", "compute capability times ten; 0 on the host",
                 &DeviceInfo::compute_capability),
      per_device("memory_bytes", "B", "memory of the device", &DeviceInfo::memory_bytes),
      per_device("numa_node", "1", "NUMA node of the device; -1 unknown", &DeviceInfo::numa_node),
      per_link("link", "", "kind of the link from rank to peer", &Link::kind),
      per_link("peer_access", "1", "rank can address the memory of peer", &Link::peer_access),
      per_link("link_bytes_per_second", "B/s", "bandwidth from rank to peer, one direction",
               &Link::bytes_per_second),
      per_link("link_latency_seconds", "s", "half a round trip of one float", &Link::latency_seconds),
      per_link("link_data_right", "1", "all data arrived as sent", &Link::data_right),
      per_launch("launch_checksum", "1", "FNV-1a checksum of the launch's labels", LabelChecksum{}, later),
      per_device("copy_bytes_per_second", "B/s",
                 "roofline: a large copy within the device, bytes read and written",
                 &Roofline::copy_bytes_per_second, later),
      per_launch("copy_method", "", "how that copy was made: kernel; empty in older files: cudaMemcpyAsync",
                 &Launch::copy_method, later),
      Rows<launch, rank, product_precision>{}("flops_per_second", "1/s",
                                              "roofline: floating-point operations of a large product",
                                              &Roofline::flops_per_second, later),
      per_device("launch_seconds", "s", "roofline: one of many tiny operations in a stream",
                 &Roofline::launch_seconds, later),
      per_device("node_seconds", "s", "roofline: one of many tiny operations in a graph",
                 &Roofline::node_seconds, later),
      Rows<launch, transport, group, operation, message>{}(
          "message_seconds", "s", "time of one of several back-to-back calls; the slowest rank counts",
          &MessageTimes::seconds, later),
      Rows<launch, transport, group>{}(
          "connect_seconds", "s",
          "connecting the ranks and a first call, once per launch; the slowest rank counts",
          &MessageTimes::connect_seconds, later),
  };
}

}  // namespace breakeven::hdf5
