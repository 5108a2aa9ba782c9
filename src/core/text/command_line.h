// SPDX-License-Identifier: Apache-2.0
// Reads a command line into the variables of its options.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>

#include "src/core/text/usage.h"

namespace breakeven {

// An argument without a name: what messages call it, and the variable that it goes to. A list takes all
// remaining words.
using Positional = std::pair<std::string, std::variant<std::string*, std::vector<std::string>*>>;

// Returns a bad option as a value, because nothing collective exists yet; for --help, the text of `options`.
// `warnings` takes a sentence for each option that was renamed. Positional arguments keep their order.
std::variant<std::monostate, UsageError, HelpText> read_command_line(
    int argc, char** argv, const boost::program_options::options_description& options,
    const std::vector<Positional>& positionals = {}, std::vector<std::string>* warnings = nullptr);

// A command line that the parser refused, and the option that was meant if an unknown one is similar to it.
UsageError refuse_words(const boost::program_options::error& error,
                        const boost::program_options::options_description& options);

// Options and words of options that were renamed work under the old name for one version, with a warning.

// The old names of `options`. A parser takes them; --help does not list them.
boost::program_options::options_description old_names_of(
    const boost::program_options::options_description& options);

// Replaces old names and words by the new ones. Adds a sentence for each.
void rename_options(boost::program_options::parsed_options& parsed, std::vector<std::string>& warnings);

}  // namespace breakeven
