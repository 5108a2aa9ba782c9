// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/label_faults.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "src/core/failure.h"

namespace breakeven::hdf5 {
namespace {

template <typename Cell>
std::string text_of(const Cell& cell) {
  return fmt::format("{}", cell);
}

// As the reader would take it.
template <typename Value, typename Cell>
bool can_be_read(const Cell& cell) {
  Value value;
  try {
    from_cell(cell, value);
  } catch (const Failure&) {
    return false;
  }
  return true;
}

class Mender {
 public:
  explicit Mender(Contents& contents) : contents_(contents), extents_(extents_of(contents)) {}

  template <typename Cell>
  void mend(std::string_view variable, std::string_view legal, const Cell& instead,
            const std::function<bool(const Cell&)>& is_legal) {
    const Variable& known = variable_named(variable);
    if (!contents_.has(known)) return;
    const bool is_of_runs = known.has(Dimension::run);
    WrongCells wrong{.variable = variable, .place = is_of_runs ? "run" : "launch", .value = ""};
    auto& cells = std::get<std::vector<Cell>>(contents_.at(known).column);
    for (std::size_t place = 0; place < cells.size(); ++place) {
      if (is_legal(cells[place])) continue;
      wrong.add(place, text_of(cells[place]));
      cells[place] = instead;
      if (is_of_runs) spoilt_runs_.push_back(place);
    }
    if (wrong.count > 0) sentences_.push_back(in_words(wrong, legal));
  }

  template <typename Cell>
  void mend_number(std::string_view variable, Cell least, hsize_t most, std::string_view of_what) {
    const std::string legal = fmt::format("a whole number from {} to {}, {}", least, most, of_what);
    mend<Cell>(variable, legal, least,
               [&](const Cell& cell) { return cell >= least && static_cast<hsize_t>(cell) <= most; });
  }

  void mend_pairs(std::string_view variable) {
    mend<std::string>(variable, "a JSON object", "{}", can_be_read<Pairs, std::string>);
  }

  hsize_t places(Dimension dimension) const { return extents_[dimension]; }

  std::vector<std::string> finish() {
    auto& status = std::get<std::vector<std::uint8_t>>(contents_.at(variable_named("status")).column);
    for (const std::size_t run : spoilt_runs_) status[run] = to_cell(RunStatus::planned);
    return std::move(sentences_);
  }

 private:
  Contents& contents_;
  Extents extents_;
  std::vector<std::size_t> spoilt_runs_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::string in_words(const WrongCells& wrong, std::string_view legal) {
  const std::string others = wrong.count > 1 ? fmt::format(" and of {} more", wrong.count - 1) : "";
  return fmt::format("{} of {} {}{} is '{}'; it should be {}", wrong.variable, wrong.place, wrong.first,
                     others, wrong.value, legal);
}

std::vector<std::string> mend_labels(Contents& contents) {
  Mender mender(contents);
  const hsize_t ranks = mender.places(Dimension::rank), launches = mender.places(Dimension::launch);
  mender.mend_number<std::int32_t>("gpus", 1, ranks, "the places along rank");
  mender.mend_number<std::uint32_t>("steps", 0, mender.places(Dimension::step), "the places along step");
  if (launches > 0)
    mender.mend_number<std::uint32_t>("launch_index", 0, launches - 1, "the place of a launch");
  mender.mend_number<std::uint32_t>("ranks", 1, std::min(ranks, mender.places(Dimension::peer)),
                                    "the places along rank and peer");
  mender.mend<std::uint8_t>("status", "0 (planned), 1 (complete) or 2 (read back and verified)",
                            to_cell(RunStatus::planned), can_be_read<RunStatus, std::uint8_t>);
  mender.mend<std::uint8_t>("stop", "0 (none), 1 (precise) or 2 (repeats)", to_cell(StopReason::none),
                            can_be_read<StopReason, std::uint8_t>);
  for (const std::string_view pairs : {"versions", "settings", "environment"}) mender.mend_pairs(pairs);
  return mender.finish();
}

}  // namespace breakeven::hdf5
