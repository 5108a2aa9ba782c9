// SPDX-License-Identifier: Apache-2.0
// Progress through a list of tasks of about equal length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "src/measure/status_screen.h"

namespace breakeven {

class Progress {
 public:
  Progress(std::size_t count, std::string_view noun);
  void start(std::size_t number, const std::string& label);  // from 0
  void finish();

 private:
  std::size_t count_;
  std::string noun_;
  StatusScreen screen_;
};

}  // namespace breakeven
