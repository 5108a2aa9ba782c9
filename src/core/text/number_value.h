// SPDX-License-Identifier: Apache-2.0
// The value of an option that is a number. Boost's own po::value() reads "-1" as the largest unsigned number,
// and takes "nan" and "inf"; no option of the program means that.
#pragma once

#include <boost/program_options/value_semantic.hpp>

namespace breakeven {

// Takes a whole number from 0 on that fits, or, of a float or double, a finite number. Throws
// boost::program_options::error with a sentence that names the option and what is legal. --help shows the
// value as N or X. Of std::uint32_t, std::uint64_t, int, std::int64_t, float and double.
template <typename Number>
boost::program_options::typed_value<Number>* number_value(Number* place = nullptr);

}  // namespace breakeven
