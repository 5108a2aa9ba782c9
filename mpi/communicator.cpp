// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicator.h"

#include "mpi/group.h"
#include "src/core/failure.h"

namespace breakeven {

std::string bytes_text(std::size_t floats) { return std::to_string(floats * sizeof(float)) + " bytes"; }

Traffic Communicator::traffic() const {
  Traffic sum = traffic_;
  for (const auto& [name, part] : parts_) {
    const Traffic of_part = part->traffic();
    sum.calls += of_part.calls;
    sum.bytes += of_part.bytes;
  }
  return sum;
}

bool Communicator::all_agree(bool mine) const { return breakeven::all_agree(group_, mine); }

Communicator& Communicator::part(const std::string& name, int colour) {
  std::unique_ptr<Communicator>& known = parts_[name];
  if (known == nullptr) known = split(colour);
  return *known;
}

std::unique_ptr<Communicator> Communicator::split(int) {
  throw Failure(ExitCode::environment,
                "the transport " + std::string(name()) + " cannot be split into groups");
}

void Communicator::check_parts() {
  for (const auto& [name, part] : parts_) part->check();
}

}  // namespace breakeven
