// SPDX-License-Identifier: Apache-2.0
// Numbers, widths and words as people read them.
#include <gtest/gtest.h>

#include "src/core/records/run_record.h"
#include "src/core/text/display_width.h"
#include "src/report/format/numbers.h"
#include "src/report/warnings/throttle.h"

namespace breakeven {
namespace {

TEST(Numbers, SignificantDigitsAndThousands) {
  EXPECT_EQ(report::format_significant(0.012345, 3), "0.0123");
  EXPECT_EQ(report::format_significant(9.996, 3), "10.0");  // rounding adds a digit
  EXPECT_EQ(report::format_significant(1234567, 4), "1,235,000");
  EXPECT_EQ(report::format_significant(-1234, 3), "-1,230");
  EXPECT_EQ(report::format_significant(0, 3), "0");
  EXPECT_EQ(report::format_significant(5e-324, 3), "0");
  EXPECT_EQ(report::format_count(258432), "258,432");
  EXPECT_EQ(report::format_count(999), "999");
  EXPECT_EQ(report::format_rate(2038.7), "2,039");
}

TEST(Numbers, UnitsFitTheSize) {
  EXPECT_EQ(report::format_seconds(212e-6), "212 µs");
  EXPECT_EQ(report::format_seconds(999.9e-6), "1.00 ms");  // not "1,000 µs"
  EXPECT_EQ(report::format_seconds(3.2e-3), "3.20 ms");
  EXPECT_EQ(report::format_seconds(0), "0 s");
  EXPECT_EQ(report::format_seconds(-42.5e-6), "-42.5 µs");
  EXPECT_EQ(report::format_time_left(3.24), "3.2 s");
  EXPECT_EQ(report::format_time_left(9.96), "10 s");
  EXPECT_EQ(report::format_time_left(59.4), "59 s");
  EXPECT_EQ(report::format_time_left(59.6), "1 min 0 s");
  EXPECT_EQ(report::format_time_left(250), "4 min 10 s");
  EXPECT_EQ(report::format_time_left(11100), "3 h 5 min");
  EXPECT_EQ(report::format_time_left(not_measured), report::dash);
  EXPECT_EQ(report::format_bytes(4 * 1048576.0), "4.00 MiB");
  EXPECT_EQ(report::format_bandwidth(376e9), "376 GB/s");
  EXPECT_EQ(report::format_percent(0.37), "37 %");
  EXPECT_EQ(report::format_percent(0.0312), "3.1 %");
}

TEST(Numbers, NotMeasuredIsADash) {
  EXPECT_EQ(report::format_seconds(not_measured), "–");
  EXPECT_EQ(report::format_bytes(not_measured), "–");
  EXPECT_EQ(report::format_rate(not_measured), "–");
  EXPECT_EQ(report::format_percent(not_measured), "–");
  EXPECT_EQ(report::format_ratio(statistics::Interval{}), "–");
  EXPECT_EQ(report::throttle_words(not_measured), "–");
}

TEST(Numbers, SecondsShowTheirIntervalUnlessItIsRounding) {
  EXPECT_EQ(report::format_seconds(statistics::Interval{212e-6, 210e-6, 214e-6, 5}), "212 µs ± 2.0 µs");
  EXPECT_EQ(report::format_seconds(statistics::Interval{13.7e-6, 13.7e-6, 13.7e-6, 5}),
            "13.7 µs ± <0.137 ns");
  EXPECT_EQ(report::format_seconds(statistics::Interval{13.7e-6, not_measured, not_measured, 2}), "13.7 µs");
}

TEST(Numbers, NoIntervalOfSecondsReachesBelowZero) {
  EXPECT_EQ(report::format_seconds(statistics::Interval{100e-6, 11e-6, 900e-6, 3}),
            "100 µs (11.0 µs–900 µs)");
  EXPECT_EQ(report::format_seconds(statistics::Interval{100e-6, not_measured, not_measured, 3}),
            "100 µs (interval not known)");
}

TEST(Numbers, AnIntervalNarrowerThanItsDigitsIsNotPrinted) {
  EXPECT_EQ(report::format_duration(statistics::Interval{4500, 4499, 4501, 3}), "1.25 h");
  EXPECT_EQ(report::format_duration(statistics::Interval{4500, 4320, 4680, 3}), "1.25 h (1.20 h–1.30 h)");
  EXPECT_EQ(report::format_significant(statistics::Interval{2.5, 2.499, 2.501, 3}), "2.50");
}

TEST(Numbers, MoneyIsOfSoManySamplesThatItIsNoTinyFraction) {
  EXPECT_EQ(report::samples_priced(0.02).name, "million");
  EXPECT_EQ(report::samples_priced(0.0000923).name, "billion");
  EXPECT_EQ(report::samples_priced(0.00000923).name, "trillion");
  EXPECT_EQ(report::samples_priced(not_measured).name, "million");
}

TEST(Numbers, NoDigitIsBeyondTheIntervals) {
  EXPECT_EQ(report::format_seconds(statistics::Interval{257e-6, 177.3e-6, 336.7e-6, 5}), "257 µs ± 80 µs");
  EXPECT_EQ(report::format_seconds(statistics::Interval{553e-6, 390e-6, 730e-6, 5}), "550 µs ± 170 µs");
  EXPECT_EQ(report::format_rate(1989234, statistics::Interval{257e-6, 177.3e-6, 336.7e-6, 5}), "1,990,000");
  EXPECT_EQ(report::format_rate(1989234, statistics::Interval{553e-6, 390e-6, 730e-6, 5}), "2,000,000");
  EXPECT_EQ(report::format_rate(1989234, statistics::Interval{257e-6, 256.9e-6, 257.1e-6, 5}), "1,989,000");
  EXPECT_EQ(report::format_rate(1989234, statistics::Interval{257e-6, not_measured, not_measured, 2}),
            "1,989,000");
}

TEST(Numbers, RatiosShowWhatTheirIntervalAllows) {
  EXPECT_EQ(report::format_ratio(statistics::Interval{0.31, 0.0071, 13.68, 5}), "0.31 (0.0071–14)");
  EXPECT_EQ(report::format_ratio(statistics::Interval{41.7, 7.5, 233.1, 5}), "42 (7.5–230)");
  EXPECT_EQ(report::format_ratio(statistics::Interval{0.74, 0.72, 0.76, 5}), "0.74 (0.72–0.76)");
  EXPECT_EQ(report::format_ratio(statistics::Interval{1.021, 1.019, 1.023, 5}), "1.021 (1.019–1.023)");
  EXPECT_EQ(report::format_ratio(statistics::Interval{0.74, not_measured, not_measured, 2}), "0.74");
}

TEST(Numbers, NumbersAreDrawnTogether) {
  EXPECT_EQ(report::format_numbers({3}), "3");
  EXPECT_EQ(report::format_numbers({1, 2, 3, 7, 9, 10}), "1–3, 7, 9–10");
  EXPECT_EQ(report::format_numbers({1, 3, 5, 7}, 2), "1, 3 and 2 more");
  EXPECT_EQ(report::format_numbers({}), "");
}

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("µs"), 2u);
  EXPECT_EQ(display_width("├── ███▌"), 8u);
  EXPECT_EQ(display_width("e\xCC\x81"), 1u);     // a letter and its combining accent
  EXPECT_EQ(display_width("\xE4\xB8\xAD"), 2u);  // a Chinese character
  EXPECT_EQ(display_width("\xFF\xFE"
                          "a"),
            3u);                             // no UTF-8: a column each, and no endless loop
  EXPECT_EQ(display_width("\xE2\x94"), 2u);  // two bytes of a character that is cut off
}

TEST(DisplayWidth, WrappingKeepsWordsAndIndents) {
  EXPECT_EQ(wrap("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrap("one two three", 7, "  "), "one two\n  three");
  EXPECT_EQ(wrap("unbreakable", 4), "unbreakable");
  EXPECT_EQ(wrap("", 4), "");
}

TEST(Throttle, BitsInWords) {
  EXPECT_EQ(report::throttle_words(0), "none");
  EXPECT_EQ(report::throttle_words(0x1), "idle");
  EXPECT_EQ(report::throttle_words(0x4 | 0x40), "power cap, thermal slowdown by hardware");
  EXPECT_EQ(report::throttle_words(0x1000), "reason 0x1000");
  EXPECT_FALSE(report::is_throttled(0x1 | 0x2));
  EXPECT_TRUE(report::is_throttled(0x4));
  EXPECT_TRUE(report::is_throttled(0x1000));
  EXPECT_FALSE(report::is_throttled(not_measured));
}

}  // namespace
}  // namespace breakeven
