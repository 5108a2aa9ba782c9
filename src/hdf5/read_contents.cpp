// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/read_contents.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "src/core/failure.h"
#include "src/hdf5/send_contents.h"

namespace breakeven::hdf5 {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

[[noreturn]] void fail(const std::string& path, const std::string& sentence) {
  throw Failure(ExitCode::file, fmt::format("{} {}", path, sentence));
}

std::uint64_t bytes_of(const FileDescriptor& file) {
  struct stat info {};
  fstat(file.get(), &info);
  return static_cast<std::uint64_t>(info.st_size);
}

std::string place_of(const FileDescriptor& file) { return fmt::format("/proc/self/fd/{}", file.get()); }

// Far above what a whole file needs, compressed ones included.
std::uint64_t most_bytes(std::uint64_t file_bytes) { return 256 * mebibyte + 16 * file_bytes; }
ApartLimits limits_for(std::uint64_t file_bytes) {
  const auto mebibytes = static_cast<unsigned>(file_bytes / mebibyte);
  return {.memory_bytes = 512 * mebibyte + 32 * file_bytes,
          .cpu_seconds = 2 + mebibytes,
          .wall_seconds = 60 + mebibytes};
}

// Receives what send_contents() sends. The child may have been corrupted by what it read: every size is
// checked.
class Receiver {
 public:
  Receiver(Apart& child, const std::string& path, std::uint64_t most)
      : child_(child), path_(path), most_(most) {}

  Contents receive_all() {
    Contents contents;
    while (true) {
      const auto header = receive<Header>();
      if (header.kind == Header::Kind::end) return contents;
      if (header.kind == Header::Kind::failure) fail(path_, receive_text(header.bytes));
      if (header.kind == Header::Kind::unknown) {
        contents.add_unknown(receive_text(header.bytes));
        continue;
      }
      expect(header.variable < readable_variables().size());
      reading_ = &readable_variables()[header.variable];
      if (header.kind == Header::Kind::variable) contents.put(*reading_, receive_variable(header));
    }
  }

  std::vector<std::string> receive_faults() {
    std::vector<std::string> faults;
    while (true) {
      const auto header = receive<Header>();
      if (header.kind == Header::Kind::end) return faults;
      std::string text = receive_text(header.bytes);
      if (header.kind == Header::Kind::failure) fail(path_, text);
      faults.push_back(std::move(text));
    }
  }

 private:
  void expect(bool holds) const {
    if (!holds) fail(path_, "is damaged: its sizes contradict one another");
  }

  void receive_bytes(void* data, std::size_t bytes) {
    if (child_.receive(data, bytes)) return;
    const std::string what =
        reading_ ? fmt::format(" reading the variable {}", reading_->name) : " opening it";
    fail(path_, fmt::format("is damaged: HDF5 {}{}", child_.end(), what));
  }

  template <typename Value>
  Value receive() {
    Value value;
    receive_bytes(&value, sizeof value);
    return value;
  }

  std::string receive_text(std::uint64_t bytes) {
    expect(bytes <= most_);
    most_ -= bytes;
    std::string text(bytes, '\0');
    receive_bytes(text.data(), bytes);
    return text;
  }

  StoredVariable receive_variable(const Header& header) {
    expect(header.rank == reading_->dimensions.size());
    StoredVariable stored{std::vector<hsize_t>(header.rank), {}};
    std::uint64_t cells = 1;
    for (hsize_t& extent : stored.shape) {
      extent = receive<hsize_t>();
      expect(cells == 0 || extent <= most_ / cells);
      cells *= extent;
    }
    expect(cells <= header.bytes);
    stored.column = make_column(*reading_, cells);
    std::visit([&](auto& column) { fill(column, header.bytes); }, stored.column);
    return stored;
  }

  template <typename Cell>
  void fill(std::vector<Cell>& column, std::uint64_t bytes) {
    expect(bytes == column.size() * sizeof(Cell) && bytes <= most_);
    most_ -= bytes;
    receive_bytes(column.data(), bytes);
  }

  void fill(std::vector<std::string>& column, std::uint64_t bytes) {
    const std::string text = receive_text(bytes);
    std::size_t first = 0;
    for (std::string& cell : column) {
      const std::size_t end = text.find('\0', first);
      expect(end != std::string::npos);
      cell = text.substr(first, end - first);
      first = end + 1;
    }
  }

  Apart& child_;
  const std::string& path_;
  std::uint64_t most_;
  const Variable* reading_ = nullptr;
};

}  // namespace

FileDescriptor open_to_read(const std::string& path) {
  FileDescriptor file(
      open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // does not wait for a pipe's writer
  if (!file) throw Failure(ExitCode::file, fmt::format("{}: {}", path, std::strerror(errno)));
  struct stat info {};
  if (fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) fail(path, "is not a file");
  return file;
}

Contents read_contents(const FileDescriptor& file, const std::string& path) {
  const std::uint64_t bytes = bytes_of(file);
  const std::string place = place_of(file);
  Apart child(limits_for(bytes),
              [&](const Sender& sender) { send_contents(place, most_bytes(bytes), sender); });
  Contents contents = Receiver(child, path, most_bytes(bytes)).receive_all();
  try {
    extents_of(contents);
  } catch (const Failure& failure) {
    fail(path, fmt::format("is damaged: {}", failure.what()));
  }
  return contents;
}

std::vector<std::string> find_schema_faults(const FileDescriptor& file, const std::string& path) {
  const std::uint64_t bytes = bytes_of(file);
  const std::string place = place_of(file);
  Apart child(limits_for(bytes), [&](const Sender& sender) { send_schema_faults(place, sender); });
  return Receiver(child, path, most_bytes(bytes)).receive_faults();
}

}  // namespace breakeven::hdf5
