// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <tuple>

#include "src/core/failure.h"
#include "src/core/text/text_file.h"

namespace breakeven {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::string_view columns = "precision layout m n k kernel tile parts microseconds";
constexpr std::size_t column_count = 9;

auto key_of(const GemmTableRow& row) {
  return std::tuple(row.precision, row.layout, row.shape.m, row.shape.n, row.shape.k);
}

std::vector<std::string_view> words_in(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t start = line.find_first_not_of(blanks);
    if (start == std::string_view::npos) return words;
    line.remove_prefix(start);
    words.push_back(line.substr(0, line.find_first_of(blanks)));
    line.remove_prefix(words.back().size());
  }
}

// Reads the words of one line. Errors name the line.
class LineReader {
 public:
  LineReader(std::string_view line, std::string place) : words_(words_in(line)), place_(std::move(place)) {
    if (words_.size() != column_count) fail("is not of the form '" + std::string(columns) + "'");
  }

  GemmTableRow row() const {
    const auto precision = find_value<Precision>(words_[0]);
    if (!precision) fail("'" + std::string(words_[0]) + "' is not a precision");
    return {*precision,
            static_cast<GemmLayout>(index_in(gemm_layout_names, 1, "layout")),
            {whole(2, 1), whole(3, 1), whole(4, 1)},
            {static_cast<GemmKernel>(index_in(words_of<GemmKernel>, 5, "kernel")),
             static_cast<int>(whole(6, -1)), static_cast<int>(whole(7, -1))},
            microseconds() * 1e-6};
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    throw Failure(ExitCode::file, place_ + ": " + sentence);
  }

  template <std::size_t n>
  std::size_t index_in(const std::array<std::string_view, n>& names, std::size_t word,
                       const char* what) const {
    const auto found = std::find(names.begin(), names.end(), words_[word]);
    if (found == names.end()) fail("'" + std::string(words_[word]) + "' is not a " + what);
    return static_cast<std::size_t>(found - names.begin());
  }

  std::int64_t whole(std::size_t word, std::int64_t least) const {
    const std::string_view text = words_[word];
    constexpr std::int64_t most = 1 << 30;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
      fail("'" + std::string(text) + "' is not a whole number of at least " + std::to_string(least));
    return value;
  }

  double microseconds() const {
    const std::string text(words_.back());
    std::size_t used = 0;
    double value = 0;
    try {
      value = std::stod(text, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used == 0 || used != text.size() || !(value > 0) || !std::isfinite(value))
      fail("'" + text + "' is not a positive number of microseconds");
    return value;
  }

  std::vector<std::string_view> words_;
  std::string place_;
};

}  // namespace

GemmTable::GemmTable(std::vector<GemmTableRow> rows) : rows_(std::move(rows)) {
  std::ranges::stable_sort(rows_, {}, key_of);
  std::vector<GemmTableRow> last_of_each;
  for (const GemmTableRow& row : rows_) {
    if (!last_of_each.empty() && key_of(last_of_each.back()) == key_of(row)) last_of_each.pop_back();
    last_of_each.push_back(row);
  }
  rows_ = std::move(last_of_each);
}

std::optional<GemmVariant> GemmTable::find(Precision precision, GemmLayout layout,
                                           const GemmShape& shape) const {
  const std::tuple key(precision, layout, shape.m, shape.n, shape.k);
  const auto found = std::ranges::lower_bound(rows_, key, {}, key_of);
  return found != rows_.end() && key_of(*found) == key ? std::optional(found->variant) : std::nullopt;
}

GemmTable parse_gemm_table(std::string_view text, std::string_view name) {
  std::vector<GemmTableRow> rows;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t start = line.find_first_not_of(blanks);
    if (start == std::string_view::npos || line[start] == '#') continue;
    rows.push_back(LineReader(line, std::string(name) + ":" + std::to_string(number)).row());
  }
  return GemmTable(std::move(rows));
}

GemmTable read_gemm_table(const std::string& path) {
  const auto text = read_text_file(path);
  if (const auto* error = std::get_if<UsageError>(&text))
    throw Failure(ExitCode::file, path + ": the table of products " + error->sentence);
  return parse_gemm_table(std::get<std::string>(text), path);
}

std::string format_gemm_table(const GemmTable& table, std::string_view header) {
  std::string text;
  std::istringstream lines{std::string(header)};
  for (std::string line; std::getline(lines, line);) text += line.empty() ? "#\n" : "# " + line + "\n";
  text += "# " + std::string(columns) + "\n";
  for (const GemmTableRow& row : table.rows()) {
    char line[160];
    std::snprintf(line, sizeof line, "%-6s %s %6lld %6lld %6lld  %-11s %3d %4d %11.3f\n",
                  info_of(row.precision).name.data(), name_of(row.layout).data(),
                  static_cast<long long>(row.shape.m), static_cast<long long>(row.shape.n),
                  static_cast<long long>(row.shape.k), name_of(row.variant.kernel).data(), row.variant.tile,
                  row.variant.split_k, row.seconds * 1e6);
    text += line;
  }
  return text;
}

}  // namespace breakeven
