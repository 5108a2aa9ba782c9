// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/iso_time.h"

#include <algorithm>

namespace breakeven::hdf5 {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Takes what it recognises from the front of a text.
class TimeText {
 public:
  explicit TimeText(std::string_view text) : rest_(text) {}

  bool is_over() const { return rest_.empty(); }
  bool begins_with(char letter) const { return rest_.starts_with(letter); }
  bool take(char letter) {
    if (!begins_with(letter)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_number(std::size_t digits, int least, int most) {
    if (rest_.size() < digits || !std::ranges::all_of(rest_.substr(0, digits), is_digit)) return false;
    int number = 0;
    for (const char digit : rest_.substr(0, digits)) number = 10 * number + (digit - '0');
    rest_.remove_prefix(digits);
    return least <= number && number <= most;
  }
  bool take_digits() {
    const std::size_t before = rest_.size();
    while (!rest_.empty() && is_digit(rest_.front())) rest_.remove_prefix(1);
    return rest_.size() < before;
  }

 private:
  std::string_view rest_;
};

bool take_date(TimeText& text) {
  return text.take_number(4, 0, 9999) && text.take('-') && text.take_number(2, 1, 12) && text.take('-') &&
         text.take_number(2, 1, 31);
}

bool take_minutes(TimeText& text) {
  return text.take_number(2, 0, 23) && text.take(':') && text.take_number(2, 0, 59);
}

bool take_seconds(TimeText& text) {
  if (!text.take(':')) return true;
  constexpr int leap_second = 60;
  if (!text.take_number(2, 0, leap_second)) return false;
  return !(text.take('.') || text.take(',')) || text.take_digits();
}

bool take_zone(TimeText& text) {
  if (text.is_over() || text.take('Z')) return true;
  if (!text.take('+') && !text.take('-')) return false;
  if (!text.take_number(2, 0, 23)) return false;
  if (text.is_over()) return true;
  text.take(':');
  return text.take_number(2, 0, 59);
}

}  // namespace

bool is_iso_time(std::string_view text) {
  TimeText rest(text);
  return take_date(rest) && rest.take('T') && take_minutes(rest) && take_seconds(rest) && take_zone(rest) &&
         rest.is_over();
}

}  // namespace breakeven::hdf5
