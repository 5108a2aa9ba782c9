// SPDX-License-Identifier: Apache-2.0
// The table of forms.
//
// ring:   Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC
//         69(2), 2009: reduce-scatter and all-gather in n - 1 turns each.
// tree:   two binary trees at once, in pieces behind one another (Sanders, Speck, Traeff, "Two-tree
// algorithms
//         for full bandwidth broadcast, reduction and scan", Parallel Computing 35(12), 2009): NCCL's.
// chain:  from rank to rank in pieces behind one another: NCCL's ring of a broadcast or a reduce.
// halving, doubling, binomial: Thakur et al. 2005, section 4.
#include "src/predict/collective_forms.h"

#include <array>
#include <cmath>

namespace breakeven {
namespace {

double one(double) { return 1; }
double others(double n) { return n - 1; }
double turns(double n) { return std::ceil(std::log2(n)); }
double twice_turns(double n) { return 2 * turns(n); }
double twice_others(double n) { return 2 * (n - 1); }
double share_of_others(double n) { return (n - 1) / n; }
double twice_share_of_others(double n) { return 2 * (n - 1) / n; }
double two(double n) { return n > 2 ? 2 : 1; }

double none(double) { return 0; }
double one_share(double n) { return 1 / n; }

constexpr std::nullopt_t any = std::nullopt;

const std::array table{
    CollectiveForm{Collective::all_reduce, "ring", Transport::nccl, twice_others, twice_share_of_others,
                   one_share},
    CollectiveForm{Collective::all_reduce, "ring", Transport::mpi, twice_others, twice_share_of_others, none},
    CollectiveForm{Collective::all_reduce, "tree", Transport::nccl, twice_turns, two, one_share},
    CollectiveForm{Collective::all_reduce, "doubling", Transport::mpi, turns, turns, none},
    CollectiveForm{Collective::all_reduce, "halving", Transport::mpi, twice_turns, twice_share_of_others,
                   none},
    CollectiveForm{Collective::reduce_scatter, "ring", Transport::nccl, others, share_of_others, one_share},
    CollectiveForm{Collective::reduce_scatter, "ring", Transport::mpi, others, share_of_others, none},
    CollectiveForm{Collective::reduce_scatter, "halving", Transport::mpi, turns, share_of_others, none},
    CollectiveForm{Collective::all_gather, "ring", Transport::nccl, others, share_of_others, one_share},
    CollectiveForm{Collective::all_gather, "ring", Transport::mpi, others, share_of_others, none},
    CollectiveForm{Collective::all_gather, "doubling", Transport::mpi, turns, share_of_others, none},
    CollectiveForm{Collective::broadcast, "chain", any, others, one, none},
    CollectiveForm{Collective::broadcast, "binomial", Transport::mpi, turns, turns, none},
    CollectiveForm{Collective::reduce, "chain", any, others, one, none},
    CollectiveForm{Collective::reduce, "binomial", Transport::mpi, turns, turns, none},
    CollectiveForm{Collective::send, "pair", any, one, one, none},
    // One rank's memory serves all others, one after another.
    CollectiveForm{Collective::one_sided, "in turn", any, others, others, none},
};

// The form in which `what` is least.
const CollectiveForm& least(Collective kind, Transport transport, double ranks,
                            double (*CollectiveForm::*what)(double)) {
  const CollectiveForm* found = nullptr;
  for (const CollectiveForm& form : table) {
    if (!has_form(form, kind, transport)) continue;
    if (found == nullptr || (form.*what)(ranks) < (found->*what)(ranks)) found = &form;
  }
  return *found;  // every transport has a form of every kind
}

}  // namespace

std::span<const CollectiveForm> collective_forms() { return table; }

double fewest_hops(Collective kind, Transport transport, double ranks) {
  return least(kind, transport, ranks, &CollectiveForm::hops).hops(ranks);
}

const CollectiveForm& form_of_least_volume(Collective kind, Transport transport, double ranks) {
  return least(kind, transport, ranks, &CollectiveForm::volume);
}

}  // namespace breakeven
