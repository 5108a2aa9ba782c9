// SPDX-License-Identifier: Apache-2.0
// Where the quads of shares (exchange.h) lie.
#pragma once

#include "mpi/peer/exchange.h"

namespace breakeven::peer {

struct SharePlaces {
  Shares shares;

  __device__ std::int64_t quads() const { return (shares.count + 3) / 4; }  // of a share
  __device__ std::int64_t place(int share, std::int64_t quad) const {
    return share * shares.stride + 4 * quad;
  }
  // How many values there are from there on: of a quad beyond the last value none.
  __device__ std::int64_t left(int share, std::int64_t quad) const {
    const std::int64_t in_share = shares.count - 4 * quad, in_all = shares.total - place(share, quad);
    return in_share < in_all ? in_share : in_all;
  }
};

}  // namespace breakeven::peer
