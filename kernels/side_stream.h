// SPDX-License-Identifier: Apache-2.0
// Work on a side stream, from a point of the first on, until they are joined. Inside a
// captured graph it is a branch.
#pragma once

#include <memory>

#include "kernels/device.h"

namespace breakeven {

class SideStream {
 public:
  explicit SideStream(Device& device)
      : stream_(device.make_stream()), forked_(device.make_event()), joined_(device.make_event()) {}

  // The side stream of `main`. What is enqueued on it starts after all that `main` has by now.
  Stream& from(Stream& main) {
    forked_->record(main);
    stream_->wait_for(*forked_);
    return *stream_;
  }

  // What is enqueued on `main` from now on starts after all that was enqueued on the side stream. Once after
  // one or more from().
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
