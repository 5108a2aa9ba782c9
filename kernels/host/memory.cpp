// SPDX-License-Identifier: Apache-2.0
// Memory of the host device: zeroed and aligned to 64 bytes, a cache line and the widest vector.
#include <cstdlib>
#include <cstring>
#include <string>

#include "kernels/host/host_device.h"
#include "src/core/failure.h"

namespace breakeven {
namespace {

constexpr std::size_t border_bytes = 64;

std::size_t padded_bytes(std::size_t bytes) { return (bytes / border_bytes + 1) * border_bytes; }

}  // namespace

void* HostDevice::allocate(std::size_t bytes, bool pinned, std::string_view purpose) {
  // Linux overcommits memory and kills the process that uses it, so refuse what cannot fit.
  const bool fits = bytes < info_.memory_bytes || info_.memory_bytes == 0;
  void* data = fits ? std::aligned_alloc(border_bytes, padded_bytes(bytes)) : nullptr;
  if (data == nullptr) {
    throw Failure(ExitCode::environment, std::string(__FILE__) + ":" + std::to_string(__LINE__) +
                                             ": aligned_alloc -> out of memory (" + std::string(purpose) +
                                             ", " + std::to_string(bytes) + " bytes)");
  }
  std::memset(data, 0, padded_bytes(bytes));
  if (!pinned) count_allocation(bytes);
  return data;
}

void HostDevice::release(void* data, std::size_t bytes, bool pinned) noexcept {
  std::free(data);
  if (!pinned) count_release(bytes);
}

void HostDevice::copy(void* to, const void* from, std::size_t bytes, Stream& /*stream*/) {
  if (bytes != 0) std::memcpy(to, from, bytes);
}

void HostDevice::fill_zero(void* data, std::size_t bytes, Stream& /*stream*/) {
  if (bytes != 0) std::memset(data, 0, bytes);
}

}  // namespace breakeven
