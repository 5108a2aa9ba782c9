// SPDX-License-Identifier: Apache-2.0
// What the transports between GPUs are, in builds with CUDA and without (no_cuda/).
#include "mpi/communicator.h"
#include "mpi/transports.h"

namespace breakeven {

template <>
TransportInfo describe_transport<Transport::nccl>() {
  return {
      .transport = Transport::nccl,
      .preference = 1,
      .obstacle = [](const TransportSite& site) -> std::string {
        if (site.share_gpus) return "refuses ranks that share a GPU";
        return site.cuda ? "" : "needs the cuda backend and a build with NCCL";
      },
      .capturable = [](const TransportSite&) { return true; },
      .make = make_nccl_communicator,
  };
}

template <>
TransportInfo describe_transport<Transport::peer>() {
  return {
      .transport = Transport::peer,
      .preference = 3,
      .obstacle = [](const TransportSite& site) -> std::string {
        if (!site.cuda) return "needs the cuda backend";
        return site.is_one_host ? "" : "works within one host";
      },
      .capturable = [](const TransportSite&) { return true; },
      .trial = try_peer_memory,
      .make = make_peer_communicator,
  };
}

}  // namespace breakeven
