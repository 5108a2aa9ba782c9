// SPDX-License-Identifier: Apache-2.0
// ring: reduce-scatter and all-gather in n - 1 turns each (Patarasuk and Yuan, "Bandwidth optimal all-reduce
//   algorithms for clusters of workstations", JPDC 69(2), 2009).
// tree: NCCL's, two binary trees at once, pipelined (Sanders, Speck, Traeff, "Two-tree algorithms for full
//   bandwidth broadcast, reduction and scan", Parallel Computing 35(12), 2009).
// chain: from rank to rank, pipelined: NCCL's ring of a broadcast or a reduce.
// halving, doubling, binomial: Thakur et al. 2005, section 4.
// one-shot, direct: kernels read the memory of all other ranks at once (mpi/peer). shares: each rank sums a
// share
//   and all gather them.
#include "src/predict/collective_forms.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "src/core/records/message_times.h"

namespace breakeven::predict {
namespace {

double one(double) { return 1; }
double others(double n) { return n - 1; }
double turns(double n) { return std::ceil(std::log2(n)); }
double twice_turns(double n) { return 2 * turns(n); }
double twice_others(double n) { return 2 * (n - 1); }
double share_of_others(double n) { return (n - 1) / n; }
double twice_share_of_others(double n) { return 2 * (n - 1) / n; }
double two(double n) { return n > 2 ? 2 : 1; }
double twice(double) { return 2; }

double none(double) { return 0; }
double one_share(double n) { return 1 / n; }

using enum Collective;
constexpr auto nccl = Transport::nccl, mpi = Transport::mpi, peer = Transport::peer;
constexpr std::nullopt_t any = std::nullopt;

constexpr auto table = std::to_array<CollectiveForm>({
    {all_reduce, "ring", nccl, {.hops = twice_others, .volume = twice_share_of_others, .own = one_share}},
    {all_reduce, "ring", mpi, {.hops = twice_others, .volume = twice_share_of_others, .own = none}},
    {all_reduce, "tree", nccl, {.hops = twice_turns, .volume = two, .own = one_share}},
    {all_reduce, "doubling", mpi, {.hops = turns, .volume = turns, .own = none}},
    {all_reduce, "halving", mpi, {.hops = twice_turns, .volume = twice_share_of_others, .own = none}},
    {all_reduce, "one-shot", peer, {.hops = one, .volume = others, .own = none}},
    {all_reduce, "shares", peer, {.hops = twice, .volume = twice_share_of_others, .own = none}},
    {reduce_scatter, "ring", nccl, {.hops = others, .volume = share_of_others, .own = one_share}},
    {reduce_scatter, "ring", mpi, {.hops = others, .volume = share_of_others, .own = none}},
    {reduce_scatter, "halving", mpi, {.hops = turns, .volume = share_of_others, .own = none}},
    {reduce_scatter, "direct", peer, {.hops = one, .volume = share_of_others, .own = none}},
    {all_gather, "ring", nccl, {.hops = others, .volume = share_of_others, .own = one_share}},
    {all_gather, "ring", mpi, {.hops = others, .volume = share_of_others, .own = none}},
    {all_gather, "doubling", mpi, {.hops = turns, .volume = share_of_others, .own = none}},
    {all_gather, "direct", peer, {.hops = one, .volume = share_of_others, .own = none}},
    {broadcast, "chain", nccl, {.hops = others, .volume = one, .own = none}},
    {broadcast, "chain", mpi, {.hops = others, .volume = one, .own = none}},
    {broadcast, "binomial", mpi, {.hops = turns, .volume = turns, .own = none}},
    // All others use the root's link.
    {broadcast, "direct", peer, {.hops = one, .volume = others, .own = none}},
    {reduce, "chain", nccl, {.hops = others, .volume = one, .own = none}},
    {reduce, "chain", mpi, {.hops = others, .volume = one, .own = none}},
    {reduce, "binomial", mpi, {.hops = turns, .volume = turns, .own = none}},
    {reduce, "direct", peer, {.hops = one, .volume = others, .own = none}},
    {send, "pair", any, {.hops = one, .volume = one, .own = none}},
    // One rank's memory serves all others in turn.
    {one_sided, "MPI, in turn", any, {.hops = others, .volume = others, .own = none}},
});

constexpr bool is_form(const CollectiveForm& form, Collective kind, Transport transport) {
  return form.kind == probed_as(kind) && (!form.transport || form.transport == transport);
}

constexpr bool every_transport_has_every_kind() {
  for (std::size_t place = 0; place < probed_transports.size(); ++place) {
    for (std::size_t kind = 0; kind < probed_kinds; ++kind) {
      const auto fits = [&](const CollectiveForm& form) {
        return is_form(form, static_cast<Collective>(kind), transport_at(place));
      };
      if (!std::ranges::any_of(table, fits)) return false;
    }
  }
  return true;
}
static_assert(every_transport_has_every_kind(), "a transport needs its forms, by which it is predicted");

// The form in which `what` is least.
const CollectiveForm& least(Collective kind, Transport transport, double ranks,
                            double (*CallTerms::*what)(double)) {
  const CollectiveForm* found = nullptr;
  for (const CollectiveForm& form : table) {
    if (!has_form(form, kind, transport)) continue;
    if (found == nullptr || (form.terms.*what)(ranks) < (found->terms.*what)(ranks)) found = &form;
  }
  return *found;
}

}  // namespace

std::span<const CollectiveForm> collective_forms() { return table; }

bool has_form(const CollectiveForm& form, Collective kind, Transport transport) {
  return is_form(form, kind, transport);
}

double fewest_hops(Collective kind, Transport transport, double ranks) {
  return least(kind, transport, ranks, &CallTerms::hops).terms.hops(ranks);
}

const CollectiveForm& form_of_least_volume(Collective kind, Transport transport, double ranks) {
  return least(kind, transport, ranks, &CallTerms::volume);
}

}  // namespace breakeven::predict
