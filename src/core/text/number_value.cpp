// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/number_value.h"

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <boost/program_options/errors.hpp>

#include "src/core/text/numbers.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

template <typename Number>
class NumberValue : public po::typed_value<Number> {
 public:
  using po::typed_value<Number>::typed_value;

  void xparse(boost::any& value, const std::vector<std::string>& words) const override {
    po::validators::check_first_occurrence(value);
    const std::string& text = po::validators::get_single_string(words);
    const auto number = parse_number<Number>(text);
    if (!number || (std::is_integral_v<Number> && *number < Number{})) throw refusal_of(text);
    value = *number;
  }

 private:
  // Boost puts in the option's name, with dashes where it was typed with them.
  static po::error_with_option_name refusal_of(const std::string& text) {
    const std::string legal = std::is_integral_v<Number> ? fmt::format("a whole number from 0 to {}",
                                                                       std::numeric_limits<Number>::max())
                                                         : "a finite number";
    po::error_with_option_name error("%canonical_option% '%value%' is not " + legal + number_hint(text));
    error.set_substitute("value", text);
    return error;
  }
};

}  // namespace

template <typename Number>
po::typed_value<Number>* number_value(Number* place) {
  auto* value = new NumberValue<Number>(place);  // the description owns it
  value->value_name(std::is_integral_v<Number> ? "N" : "X");
  return value;
}
template po::typed_value<std::uint32_t>* number_value(std::uint32_t*);
template po::typed_value<std::uint64_t>* number_value(std::uint64_t*);
template po::typed_value<int>* number_value(int*);
template po::typed_value<std::int64_t>* number_value(std::int64_t*);
template po::typed_value<float>* number_value(float*);
template po::typed_value<double>* number_value(double*);

}  // namespace breakeven
