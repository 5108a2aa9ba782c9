// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/apart_here.h"

#include <cstring>
#include <optional>
#include <utility>

#include "src/hdf5/apart.h"

namespace breakeven {
namespace {

// Of the only child; there is one at a time.
std::string said;
std::size_t received = 0;
std::optional<std::string> to_say;

}  // namespace

void fuzz::let_child_say(std::string bytes) { to_say = std::move(bytes); }

namespace hdf5 {

void Sender::send(const void* data, std::size_t bytes) const {
  if (bytes > 0) said.append(static_cast<const char*>(data), bytes);
}

Apart::Apart(const ApartLimits& limits, const std::function<void(const Sender&)>& work) : limits_(limits) {
  said.clear();
  received = 0;
  if (to_say)
    said = *std::exchange(to_say, std::nullopt);
  else
    work(Sender(-1));
}

Apart::~Apart() = default;

bool Apart::receive(void* data, std::size_t bytes) {
  if (bytes > said.size() - received) return false;
  if (bytes > 0) std::memcpy(data, said.data() + received, bytes);
  received += bytes;
  return true;
}

std::string Apart::end() { return "ended early"; }

}  // namespace hdf5
}  // namespace breakeven
