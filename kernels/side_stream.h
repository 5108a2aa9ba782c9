// SPDX-License-Identifier: Apache-2.0
// A second stream for work that overlaps with the main stream: forked from it, and joined later. In a
// captured graph it is a branch.
#pragma once

#include <memory>

#include "kernels/device.h"

namespace breakeven {

class SideStream {
 public:
  explicit SideStream(Device& device)
      : stream_(device.make_stream()), forked_(device.make_event()), joined_(device.make_event()) {}

  // Forks: returns the side stream, whose next work starts after everything enqueued on `main` so far.
  Stream& from(Stream& main) {
    forked_->record(main);
    stream_->wait_for(*forked_);
    return *stream_;
  }

  // Work enqueued on `main` from now on starts after everything on the side stream. Call it once after one or
  // more from().
  void join(Stream& main) {
    joined_->record(*stream_);
    main.wait_for(*joined_);
  }

 private:
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<Event> forked_;
  std::unique_ptr<Event> joined_;
};

}  // namespace breakeven
