// SPDX-License-Identifier: Apache-2.0
// What every parser of a command line does about wrong and about old options.
#pragma once

#include <string>
#include <vector>

#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>

#include "src/core/text/usage.h"

namespace breakeven {

// What Boost says of words that it refused. Changes the error.
std::string sentence_of(boost::program_options::error& error);

// A command line that the parser refused, and the option that was meant if an unknown one is similar to it.
UsageError refuse_words(boost::program_options::error& error,
                        const boost::program_options::options_description& options);

// Options and words of options that were renamed work under the old name for one version, with a warning.

// The option's name now; its own where it was not renamed.
std::string new_name_of(const std::string& option);

// The old names of `options`. A parser takes them; --help does not list them.
boost::program_options::options_description old_names_of(
    const boost::program_options::options_description& options);

// Replaces old names and words by the new ones. Adds a sentence for each.
void rename_options(boost::program_options::parsed_options& parsed, std::vector<std::string>& warnings);

}  // namespace breakeven
