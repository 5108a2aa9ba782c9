// SPDX-License-Identifier: Apache-2.0
// The algorithms by which a collective call sends messages from rank to rank: how many go one after another,
// and how many bytes pass a rank's link.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "src/core/axis_values.h"
#include "src/core/message.h"

namespace breakeven::predict {

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

std::span<const CollectiveForm> collective_forms();

bool has_form(const CollectiveForm& form, Collective kind, Transport transport);

// Of the forms that the transport has for the kind.
double fewest_hops(Collective kind, Transport transport, double ranks);
const CollectiveForm& form_of_least_volume(Collective kind, Transport transport, double ranks);

}  // namespace breakeven::predict
