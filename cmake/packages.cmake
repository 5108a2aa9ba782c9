# SPDX-License-Identifier: Apache-2.0
# The C++ libraries that every platform packages: Boost (options, and Boost.Math's headers), fmt, JSON, threads.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)

add_library(breakeven_packages INTERFACE)
add_library(breakeven::packages ALIAS breakeven_packages)
target_link_libraries(breakeven_packages INTERFACE Boost::program_options fmt::fmt nlohmann_json::nlohmann_json)
