// SPDX-License-Identifier: Apache-2.0
// Runs and launches with damaged labels go out of a file that is left with none.
#include <gtest/gtest.h>

#include "src/hdf5/checksums.h"
#include "src/hdf5/labels.h"

namespace breakeven {
namespace {

hsize_t places(const hdf5::Contents& labels, const char* coordinate) {
  return labels.at(hdf5::variable_named(coordinate)).shape[0];
}

TEST(DamagedLabels, OfALaunchInAFileWithoutRuns) {
  hdf5::Extents extents;
  extents[hdf5::Dimension::launch] = 2;
  hdf5::Contents labels = hdf5::make_labels(extents);
  hdf5::take_out(labels, {.runs = {}, .launches = {1}});
  EXPECT_EQ(places(labels, "launch"), 1u);
  EXPECT_EQ(places(labels, "run"), 0u);
}

}  // namespace
}  // namespace breakeven
