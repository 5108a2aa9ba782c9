// SPDX-License-Identifier: Apache-2.0
// Adam's update of the quads of a thread (inbox.cuh). It loads what it changes before it waits for the sums,
// and all quads before it stores one.
#pragma once

#include "kernels/cuda/adam.cuh"
#include "mpi/peer/inbox.cuh"

namespace breakeven::peer {

struct AdamQuads {
  Quad parameter[together], first_moment[together], second_moment[together];

  // place(quad): where the quad begins in the arrays; left(quad): how many of its values there are.
  template <typename Place, typename Left>
  __device__ void load(const ThreadQuads& mine, const AdamArrays& from, const Place& place, const Left& left,
                       bool vectorised) {
    mine.each([&](int i, std::int64_t quad) {
      parameter[i] = load_quad(from.parameter + place(quad), left(quad), vectorised);
      first_moment[i] = load_quad(from.first_moment + place(quad), left(quad), vectorised);
      second_moment[i] = load_quad(from.second_moment + place(quad), left(quad), vectorised);
    });
  }

  __device__ void update(const ThreadQuads& mine, const AdamFactors& factors,
                         const Quad (&gradients)[together]) {
    mine.each([&](int i, std::int64_t) {
      adam_update(factors, gradients[i], parameter[i], first_moment[i], second_moment[i]);
    });
  }

  template <typename Place, typename Left>
  __device__ void store(const ThreadQuads& mine, const AdamArrays& to, const Place& place, const Left& left,
                        bool vectorised) const {
    mine.each([&](int i, std::int64_t quad) {
      store_quad(to.parameter + place(quad), left(quad), vectorised, parameter[i]);
      store_quad(to.first_moment + place(quad), left(quad), vectorised, first_moment[i]);
      store_quad(to.second_moment + place(quad), left(quad), vectorised, second_moment[i]);
    });
  }
};

}  // namespace breakeven::peer
