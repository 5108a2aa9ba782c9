// SPDX-License-Identifier: Apache-2.0
#include "src/bench/matmul/part_marks.h"

namespace breakeven::bench {

void PartMarks::begin(Stream& stream) {
  used_ = 0;
  record(Part::split, stream);
}

void PartMarks::end_of(Part part, Stream& stream) { record(part, stream); }

void PartMarks::record(Part part, Stream& stream) {
  if (used_ == marks_.size()) marks_.push_back({part, device_.make_event()});
  marks_[used_].part = part;
  marks_[used_].event->record(stream);
  used_ += 1;
}

PartTimes PartMarks::read() const {
  PartTimes times;
  for (std::size_t i = 1; i < used_; ++i) {
    const double seconds = marks_[i].event->seconds_since(*marks_[i - 1].event);
    times.parts[index_of(marks_[i].part)] += seconds;
    times.seconds += seconds;
  }
  return times;
}

}  // namespace breakeven::bench
