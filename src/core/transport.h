// SPDX-License-Identifier: Apache-2.0
// The transports, and the algorithms by which their calls send messages from rank to rank: how many go one
// after another, and how many bytes pass a rank's link. Their code is in mpi/ (transports.h).
// ring: reduce-scatter and all-gather in n - 1 turns each (Patarasuk and Yuan, "Bandwidth optimal all-reduce
//   algorithms for clusters of workstations", JPDC 69(2), 2009).
// tree: NCCL's, two binary trees at once, pipelined (Sanders, Speck, Traeff, "Two-tree algorithms for full
//   bandwidth broadcast, reduction and scan", Parallel Computing 35(12), 2009).
// chain: from rank to rank, pipelined: NCCL's ring of a broadcast or a reduce.
// halving, doubling, binomial: Thakur et al. 2005, section 4.
// one-shot, direct: kernels read the memory of all other ranks at once (mpi/peer). shares: each rank sums
//   a share and all gather them.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "src/core/level.h"
#include "src/core/message.h"
#include "src/core/words_of.h"

namespace breakeven {

// What carries the communication; `none` of a strategy that has none. A new transport goes last, because
// results files store measured calls by place.
enum class Transport : std::uint8_t { none, mpi, nccl, peer };

// What matters about a transport to plans and answers.
struct TransportTraits {
  std::string_view name;
  bool is_usual = true;              // short names of cases leave it out
  bool takes_nccl_settings = false;  // variables of NCCL change its calls
  bool goes_over_links = false;      // what links between GPUs take stands in for calls that nobody measured
  bool joins_update = false;         // it can send while parameters are updated, if the strategy lets it
  int most_ranks = 0;                // of one host; 0: any number, on any hosts
};
inline constexpr std::array transport_traits{
    TransportTraits{.name = "none"},
    TransportTraits{.name = "mpi"},
    TransportTraits{.name = "nccl", .takes_nccl_settings = true, .goes_over_links = true},
    TransportTraits{.name = "peer", .is_usual = false, .joins_update = true, .most_ranks = 8},
};
template <>
inline constexpr auto words_of<Transport> = names_of_rows(transport_traits);

// Of a transport that this program does not know: those of `none`.
inline const TransportTraits& traits_of(const Level<Transport>& transport) {
  return transport_traits.at(static_cast<std::size_t>(transport.known().value_or(Transport::none)));
}

// One call of m bytes on n ranks takes  start + hops(n) alpha + volume(n) m / beta + own(n) m / gamma
// (Hockney's model, call by call; Thakur, Rabenseifner, Gropp, "Optimization of collective communication
// operations in MPICH", IJHPCA 19(1), 2005). The last term is the work of a rank while its link is idle.
struct CallTerms {
  double (*hops)(double ranks);
  double (*volume)(double ranks);  // of the call's bytes
  // Of them, what a rank sums or copies while its link is idle: in NCCL's rings and trees the last turn, of
  // its own share.
  double (*own)(double ranks);
};
struct CollectiveForm {
  Collective kind;
  std::string_view name;
  std::optional<Transport> transport;  // that has it; nothing: all
  CallTerms terms;
};

namespace transport_forms {

constexpr double one(double) { return 1; }
constexpr double others(double n) { return n - 1; }
inline double turns(double n) { return std::ceil(std::log2(n)); }
inline double twice_turns(double n) { return 2 * turns(n); }
constexpr double twice_others(double n) { return 2 * (n - 1); }
constexpr double share_of_others(double n) { return (n - 1) / n; }
constexpr double twice_share_of_others(double n) { return 2 * (n - 1) / n; }
constexpr double two(double n) { return n > 2 ? 2 : 1; }
constexpr double twice(double) { return 2; }
constexpr double nothing(double) { return 0; }
constexpr double one_share(double n) { return 1 / n; }

using enum Collective;
using enum Transport;
inline constexpr std::nullopt_t any = std::nullopt;

inline constexpr auto table = std::to_array<CollectiveForm>({
    {all_reduce, "ring", nccl, {.hops = twice_others, .volume = twice_share_of_others, .own = one_share}},
    {all_reduce, "ring", mpi, {.hops = twice_others, .volume = twice_share_of_others, .own = nothing}},
    {all_reduce, "tree", nccl, {.hops = twice_turns, .volume = two, .own = one_share}},
    {all_reduce, "doubling", mpi, {.hops = turns, .volume = turns, .own = nothing}},
    {all_reduce, "halving", mpi, {.hops = twice_turns, .volume = twice_share_of_others, .own = nothing}},
    {all_reduce, "one-shot", peer, {.hops = one, .volume = others, .own = nothing}},
    {all_reduce, "shares", peer, {.hops = twice, .volume = twice_share_of_others, .own = nothing}},
    {reduce_scatter, "ring", nccl, {.hops = others, .volume = share_of_others, .own = one_share}},
    {reduce_scatter, "ring", mpi, {.hops = others, .volume = share_of_others, .own = nothing}},
    {reduce_scatter, "halving", mpi, {.hops = turns, .volume = share_of_others, .own = nothing}},
    {reduce_scatter, "direct", peer, {.hops = one, .volume = share_of_others, .own = nothing}},
    {all_gather, "ring", nccl, {.hops = others, .volume = share_of_others, .own = one_share}},
    {all_gather, "ring", mpi, {.hops = others, .volume = share_of_others, .own = nothing}},
    {all_gather, "doubling", mpi, {.hops = turns, .volume = share_of_others, .own = nothing}},
    {all_gather, "direct", peer, {.hops = one, .volume = share_of_others, .own = nothing}},
    {broadcast, "chain", nccl, {.hops = others, .volume = one, .own = nothing}},
    {broadcast, "chain", mpi, {.hops = others, .volume = one, .own = nothing}},
    {broadcast, "binomial", mpi, {.hops = turns, .volume = turns, .own = nothing}},
    // All others use the root's link.
    {broadcast, "direct", peer, {.hops = one, .volume = others, .own = nothing}},
    {reduce, "chain", nccl, {.hops = others, .volume = one, .own = nothing}},
    {reduce, "chain", mpi, {.hops = others, .volume = one, .own = nothing}},
    {reduce, "binomial", mpi, {.hops = turns, .volume = turns, .own = nothing}},
    {reduce, "direct", peer, {.hops = one, .volume = others, .own = nothing}},
    {send, "pair", any, {.hops = one, .volume = one, .own = nothing}},
    // One rank's memory serves all others in turn.
    {one_sided, "MPI, in turn", any, {.hops = others, .volume = others, .own = nothing}},
});

}  // namespace transport_forms

inline constexpr std::span collective_forms = transport_forms::table;

}  // namespace breakeven
