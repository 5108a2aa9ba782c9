// SPDX-License-Identifier: Apache-2.0
// Device or pinned host memory, released by its destructor.
#pragma once

#include <cstddef>
#include <string_view>

namespace breakeven {

class Device;

// Memory of a device, or pinned memory of its host. Zero-filled.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Device& device, std::size_t bytes, bool pinned, std::string_view purpose);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;  // a copy of gigabytes is always a mistake
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  template <typename T = float>
  T* as() const {
    return static_cast<T*>(data_);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  Device* device_ = nullptr;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  bool pinned_ = false;
};

}  // namespace breakeven
