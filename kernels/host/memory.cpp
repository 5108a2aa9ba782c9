// SPDX-License-Identifier: Apache-2.0
// Memory of the host device: zeroed and aligned to 64 bytes, a cache line and the widest vector. It has no
// byte more than was asked for, so the address sanitizer sees an access right behind it.
#include <cstring>
#include <new>
#include <string>

#include "kernels/host/host_device.h"
#include "src/core/failure.h"

namespace breakeven {
namespace {

constexpr std::align_val_t border{64};

}  // namespace

void* HostDevice::allocate(std::size_t bytes, bool pinned, std::string_view purpose) {
  // Linux overcommits memory and kills the process that uses it, so refuse what cannot fit.
  const bool fits = bytes < info_.memory_bytes || info_.memory_bytes == 0;
  void* data = fits ? ::operator new(bytes, border, std::nothrow) : nullptr;
  if (data == nullptr) {
    throw failed_call("operator new", __FILE__, __LINE__, "out of memory", purpose, bytes);
  }
  std::memset(data, 0, bytes);
  if (!pinned) count_allocation(bytes);
  return data;
}

void HostDevice::release(void* data, std::size_t bytes, bool pinned) noexcept {
  ::operator delete(data, border);
  if (!pinned) count_release(bytes);
}

void HostDevice::copy(void* to, const void* from, std::size_t bytes, Stream& /*stream*/) {
  if (bytes != 0) std::memcpy(to, from, bytes);
}

void HostDevice::fill_zero(void* data, std::size_t bytes, Stream& /*stream*/) {
  if (bytes != 0) std::memset(data, 0, bytes);
}

}  // namespace breakeven
