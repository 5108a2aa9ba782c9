// SPDX-License-Identifier: Apache-2.0
// One handle has one owner: closed once, by whoever had it last.
#include "src/core/handle.h"

#include <gtest/gtest.h>

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace breakeven {
namespace {

std::vector<int> closed;  // what the C library under test was asked to close, in order

int close_id(int id) {
  closed.push_back(id);
  return id == 13 ? -1 : 0;
}

void open_id(int id, int* opened) { *opened = id; }

using Id = Handle<int, close_id, -1>;  // an integer whose 0 is a real handle, like HDF5's ids

class HandleTest : public testing::Test {
 protected:
  void SetUp() override { closed.clear(); }
};

TEST_F(HandleTest, ClosesAtTheEndOfItsLife) {
  {
    const Id id(0);
    EXPECT_TRUE(static_cast<bool>(id));
    EXPECT_EQ(id.get(), 0);
  }
  EXPECT_EQ(closed, std::vector<int>{0});
}

TEST_F(HandleTest, OwnsNothingByDefault) {
  {
    const Id id;
    EXPECT_FALSE(static_cast<bool>(id));
  }
  EXPECT_TRUE(closed.empty());
}

TEST_F(HandleTest, MovingHandsTheHandleOver) {
  {
    Id first(4);
    Id second(std::move(first));
    EXPECT_FALSE(static_cast<bool>(first));  // NOLINT: that it is empty is the point
    EXPECT_EQ(second.get(), 4);
  }
  EXPECT_EQ(closed, std::vector<int>{4});
}

TEST_F(HandleTest, AssignmentClosesBothOnce) {
  {
    Id first(4);
    first = Id(5);
    EXPECT_EQ(first.get(), 5);
    EXPECT_EQ(closed, std::vector<int>{4});
  }
  EXPECT_EQ(closed, (std::vector<int>{4, 5}));
}

TEST_F(HandleTest, CloseNowReportsAndClosesOnce) {
  {
    Id id(13);
    EXPECT_EQ(id.close_now(), -1);
    EXPECT_FALSE(static_cast<bool>(id));
  }
  EXPECT_EQ(closed, std::vector<int>{13});
}

TEST_F(HandleTest, FillsThroughAPointer) {
  {
    Id id;
    open_id(8, id.out());
    EXPECT_EQ(id.get(), 8);
  }
  EXPECT_EQ(closed, std::vector<int>{8});
}

TEST_F(HandleTest, IsMoveOnlyAndAsSmallAsTheHandle) {
  EXPECT_FALSE(std::is_copy_constructible_v<Id>);
  EXPECT_FALSE(std::is_copy_assignable_v<Id>);
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<Id>);
  EXPECT_EQ(sizeof(Id), sizeof(int));
}

}  // namespace
}  // namespace breakeven
