# SPDX-License-Identifier: Apache-2.0
# generated/strategies.inc: STRATEGY(NAME) for every src/core/strategy/described/NAME.cpp. The table of descriptions and
# the table of the code that trains are made of it, so that a new strategy is two files and no list names it.
set(described ${PROJECT_SOURCE_DIR}/src/core/strategy/described)
file(GLOB described_strategies CONFIGURE_DEPENDS RELATIVE ${described} ${described}/*.cpp)
list(TRANSFORM described_strategies REPLACE "(.+)\\.cpp" "STRATEGY(\\1)\n")
string(JOIN "" described_strategies ${described_strategies})
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/strategies.inc CONTENT "${described_strategies}" @ONLY)
