// SPDX-License-Identifier: Apache-2.0
// A command's words, read into the variables of its options.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <boost/program_options/options_description.hpp>

#include "src/core/text/usage.h"

namespace breakeven {

// What stands without a name, in this order: what it is called in messages, and where it goes. A list takes
// all words that are left.
using Positional = std::pair<std::string, std::variant<std::string*, std::vector<std::string>*>>;

// Bad words are answered by value, so that nothing collective need exist yet; --help by the text of
// `options`, which describe it. `warnings` takes a sentence for each option that was renamed.
std::variant<std::monostate, UsageError, HelpText> read_command_line(
    int argc, char** argv, const boost::program_options::options_description& options,
    const std::vector<Positional>& positionals = {}, std::vector<std::string>* warnings = nullptr);

}  // namespace breakeven
