// SPDX-License-Identifier: Apache-2.0
// A temporary file for parsers that want a path; it goes with the program. HDF5 opens no file that has no
// name.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

namespace breakeven::fuzz {

class InputFile {
 public:
  InputFile() : path_((std::filesystem::temp_directory_path() / "fuzz-XXXXXX").string()) {
    const int made = mkstemp(path_.data());
    if (made < 0 || close(made) != 0) std::abort();
  }
  ~InputFile() { unlink(path_.c_str()); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }

  void set(const std::string& bytes) const {
    if (!std::ofstream(path_, std::ios::binary)
             .write(bytes.data(), static_cast<std::streamsize>(bytes.size())))
      std::abort();
  }

  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::string path_;
};

}  // namespace breakeven::fuzz
