// SPDX-License-Identifier: Apache-2.0
// Options and words of options that were renamed. The old ones work for one version, with a warning.
#pragma once

#include <string>
#include <vector>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>

namespace breakeven {

// The old names of those of `options` that have one. A parser takes them; help does not list them.
boost::program_options::options_description old_names_of(
    const boost::program_options::options_description& options);

// Replaces old names and words by the new ones and adds a sentence for each option that had one.
void rename_options(boost::program_options::parsed_options& parsed, std::vector<std::string>& warnings);

}  // namespace breakeven
