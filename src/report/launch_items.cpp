// SPDX-License-Identifier: Apache-2.0
#include "src/report/launch_items.h"

#include "src/report/sections.h"

namespace breakeven {

void add_launch_items(const Launch& launch, Document& document) {
  document.item("Command: `" + launch.command_line + "`");
  document.item("Revision: " + launch.git_revision);
  document.item("Settings: " + in_words(launch.settings));
  document.item("Started: " + launch.started);
}

}  // namespace breakeven
