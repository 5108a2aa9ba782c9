// SPDX-License-Identifier: Apache-2.0
// Reads a data set in a child process before this process does.
#include <sys/stat.h>
#include <unistd.h>

#include <exception>
#include <string>

#include <fmt/format.h>

#include "src/core/failure.h"
#include "src/data/dataset.h"
#include "src/hdf5/apart.h"

namespace breakeven::data {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

// Far above what a whole file needs. A compressed one may be much larger in memory.
hdf5::ApartLimits limits_for(const std::string& path) {
  struct stat info {};
  const bool exists = stat(path.c_str(), &info) == 0;
  const auto mebibytes =
      static_cast<unsigned>(exists ? static_cast<std::uint64_t>(info.st_size) / mebibyte : 0);
  const std::uint64_t memory =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return {.memory_bytes = memory, .cpu_seconds = 10 + mebibytes, .wall_seconds = 60 + mebibytes};
}

// What read_dataset_here() throws, or "".
std::string refusal_of(const std::string& path) {
  try {
    read_dataset_here(path);
  } catch (const Failure& failure) {
    return failure.what();
  } catch (const std::exception&) {
    return fmt::format("data set '{}': there is not enough memory to read it", path);
  }
  return "";
}

}  // namespace

DatasetFile read_dataset_file(const std::string& path) {
  hdf5::Apart child(limits_for(path), [&](const hdf5::Sender& sender) {
    const std::string refusal = refusal_of(path);
    const std::size_t bytes = refusal.size();
    sender.send(&bytes, sizeof bytes);
    sender.send(refusal.data(), bytes);
  });
  std::size_t bytes = 0;
  bool is_heard = child.receive(&bytes, sizeof bytes) && bytes < mebibyte;
  std::string refusal(is_heard ? bytes : 0, ' ');
  is_heard = is_heard && child.receive(refusal.data(), bytes);
  if (!is_heard) refusal = fmt::format("data set '{}': it is damaged: HDF5 {} reading it", path, child.end());
  if (!refusal.empty()) throw Failure(ExitCode::file, refusal);
  return read_dataset_here(path);
}

}  // namespace breakeven::data
