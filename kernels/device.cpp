// SPDX-License-Identifier: Apache-2.0
// What all devices share: ownership and counting of memory.
#include "kernels/device.h"

#include <algorithm>
#include <utility>

namespace breakeven {

Buffer::Buffer(Device& device, std::size_t bytes, bool pinned, std::string_view purpose)
    : device_(&device), data_(device.allocate(bytes, pinned, purpose)), bytes_(bytes), pinned_(pinned) {}

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(pinned_, other.pinned_);
  return *this;
}

Buffer::~Buffer() {
  if (device_ != nullptr) device_->release(data_, bytes_, pinned_);
}

void Device::count_allocation(std::size_t bytes) {
  bytes_in_use_ += bytes;
  peak_bytes_ = std::max(peak_bytes_, bytes_in_use_);
}

void Device::count_release(std::size_t bytes) noexcept { bytes_in_use_ -= bytes; }

}  // namespace breakeven
