// SPDX-License-Identifier: Apache-2.0
#include "src/predict/collective_forms.h"

#include <algorithm>

#include "src/core/records/message_times.h"

namespace breakeven::predict {
namespace {

constexpr bool is_form(const CollectiveForm& form, Collective kind, Transport transport) {
  return form.kind == probed_as(kind) && (!form.transport || form.transport == transport);
}

constexpr bool every_transport_has_every_kind() {
  for (std::size_t place = 0; place < probed_transports.size(); ++place) {
    for (std::size_t kind = 0; kind < probed_kinds; ++kind) {
      const auto fits = [&](const CollectiveForm& form) {
        return is_form(form, static_cast<Collective>(kind), transport_at(place));
      };
      if (!std::ranges::any_of(collective_forms, fits)) return false;
    }
  }
  return true;
}
static_assert(every_transport_has_every_kind(), "a transport needs its forms, by which it is predicted");

// The form in which `what` is least.
const CollectiveForm& least(Collective kind, Transport transport, double ranks,
                            double (*CallTerms::*what)(double)) {
  const CollectiveForm* found = nullptr;
  for (const CollectiveForm& form : collective_forms) {
    if (!has_form(form, kind, transport)) continue;
    if (found == nullptr || (form.terms.*what)(ranks) < (found->terms.*what)(ranks)) found = &form;
  }
  return *found;
}

}  // namespace

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
