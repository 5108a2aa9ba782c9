// SPDX-License-Identifier: Apache-2.0
// The forms in which a collective call is made of messages from rank to rank: how many go one after another,
// and how many bytes pass a rank's link.
#pragma once

#include <span>
#include <string_view>

#include "mpi/collective_probe.h"
#include "mpi/message.h"

namespace breakeven {

// One call of m bytes on n ranks takes  start + hops(n) alpha + volume(n) m / beta  (Hockney's model, call by
// call; Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA
// 19(1), 2005).
struct CollectiveForm {
  Collective kind;
  std::string_view name;
  std::string_view transport;  // that has it; "": all have
  double (*hops)(double ranks);
  double (*volume)(double ranks);  // of the call's bytes
};

std::span<const CollectiveForm> collective_forms();

inline bool has_form(const CollectiveForm& form, Collective kind, std::string_view transport) {
  return form.kind == probed_as(kind) && (form.transport.empty() || form.transport == transport);
}

// Of the forms that the transport has for the kind, one by one.
double fewest_hops(Collective kind, std::string_view transport, double ranks);
double least_volume(Collective kind, std::string_view transport, double ranks);

}  // namespace breakeven
