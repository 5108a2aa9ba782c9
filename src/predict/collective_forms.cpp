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

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

const std::array table{
    CollectiveForm{Collective::all_reduce, "ring", "", twice_others, twice_share_of_others},
    CollectiveForm{Collective::all_reduce, "tree", "nccl", twice_turns, two},
    CollectiveForm{Collective::all_reduce, "doubling", "mpi", turns, turns},
    CollectiveForm{Collective::all_reduce, "halving", "mpi", twice_turns, twice_share_of_others},
    CollectiveForm{Collective::reduce_scatter, "ring", "", others, share_of_others},
    CollectiveForm{Collective::reduce_scatter, "halving", "mpi", turns, share_of_others},
    CollectiveForm{Collective::all_gather, "ring", "", others, share_of_others},
    CollectiveForm{Collective::all_gather, "doubling", "mpi", turns, share_of_others},
    CollectiveForm{Collective::broadcast, "chain", "", others, one},
    CollectiveForm{Collective::broadcast, "binomial", "mpi", turns, turns},
    CollectiveForm{Collective::reduce, "chain", "", others, one},
    CollectiveForm{Collective::reduce, "binomial", "mpi", turns, turns},
    CollectiveForm{Collective::send, "pair", "", one, one},
    // One rank's memory serves all others, one after another.
    CollectiveForm{Collective::one_sided, "in turn", "", others, others},
};

double least(Collective kind, std::string_view transport, double ranks,
             double (*CollectiveForm::*what)(double)) {
  double found = std::numeric_limits<double>::infinity();
  for (const CollectiveForm& form : table)
    if (has_form(form, kind, transport)) found = std::min(found, (form.*what)(ranks));
  return found;
}

}  // namespace

std::span<const CollectiveForm> collective_forms() { return table; }

double fewest_hops(Collective kind, std::string_view transport, double ranks) {
  return least(kind, transport, ranks, &CollectiveForm::hops);
}

double least_volume(Collective kind, std::string_view transport, double ranks) {
  return least(kind, transport, ranks, &CollectiveForm::volume);
}

}  // namespace breakeven
