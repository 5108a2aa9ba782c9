// SPDX-License-Identifier: Apache-2.0
// A library needs a source; this one is for its precompiled headers (tests/CMakeLists.txt).
#include <gtest/gtest.h>
