// SPDX-License-Identifier: Apache-2.0
// The rows of the table of variables (schema.h). A row names a variable, its unit, its meaning and the member
// that holds its values; the function that makes the row stands for its dimensions.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "src/hdf5/schema.h"

namespace breakeven::hdf5 {

// Marks a variable that older programs did not write: files without it stay readable.
inline constexpr bool later = true;

// Constants, since other files' tables are made of these rows before main begins.
template <Dimension... dimensions>
struct Rows {
  Variable operator()(std::string_view name, std::string_view units, std::string_view long_name,
                      Source source, bool is_addition = false) const {
    return {.name = name,
            .dimensions = {dimensions...},
            .units = units,
            .long_name = long_name,
            .source = std::move(source),
            .is_addition = is_addition};
  }
};

inline constexpr Rows<Dimension::run> per_run;
inline constexpr Rows<Dimension::run, Dimension::rank> per_rank;
inline constexpr Rows<Dimension::run, Dimension::rank, Dimension::step> per_step;
inline constexpr Rows<Dimension::run, Dimension::rank, Dimension::step, Dimension::phase> per_phase;
inline constexpr Rows<Dimension::run, Dimension::candidate> per_candidate;
inline constexpr Rows<Dimension::launch> per_launch;
inline constexpr Rows<Dimension::launch, Dimension::rank> per_device;
inline constexpr Rows<Dimension::launch, Dimension::rank, Dimension::peer> per_link;

// Parts of the table.
std::vector<Variable> measured_variables();
std::vector<Variable> launch_variables();

}  // namespace breakeven::hdf5
