// SPDX-License-Identifier: Apache-2.0
// One owner for every C handle (streams, events, communicators, HDF5 ids): move-only, the size of the handle.
#pragma once

#include <utility>

namespace breakeven {

// `close` releases the handle; `null` is the value that owns nothing. The destructor does not report a
// failing close: where it matters, call close_now() and check its result.
template <typename T, auto close, T null = T{}>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T raw) : raw_(raw) {}
  Handle(Handle&& other) noexcept : raw_(std::exchange(other.raw_, null)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  Handle(const Handle&) = delete;  // one handle, one owner
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (raw_ != null) close(raw_);
  }

  T get() const { return raw_; }
  T* out() { return &raw_; }  // for C functions that create a handle through a pointer
  auto close_now() { return close(std::exchange(raw_, null)); }
  explicit operator bool() const { return raw_ != null; }

 private:
  T raw_ = null;
};

}  // namespace breakeven
