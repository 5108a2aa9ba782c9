// SPDX-License-Identifier: Apache-2.0
// Which algorithms a transport has for a collective call (collective_forms in src/core/transport.h).
#pragma once

#include "src/core/transport.h"

namespace breakeven::predict {

bool has_form(const CollectiveForm& form, Collective kind, Transport transport);

// Of the forms that the transport has for the kind.
double fewest_hops(Collective kind, Transport transport, double ranks);
const CollectiveForm& form_of_least_volume(Collective kind, Transport transport, double ranks);

}  // namespace breakeven::predict
