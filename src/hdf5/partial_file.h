// SPDX-License-Identifier: Apache-2.0
// A new file beside its target, which gets the target's name when it is complete. So a file of that name is
// whole at every moment, and two launches that create it at once do not meet.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "src/hdf5/launch_lock.h"

namespace breakeven::hdf5 {

class PartialFile {
 public:
  // Creates TARGET.breakeven-XXXXXX.partial: a name that nobody has, and that is no link. Only its owner may
  // read it. Throws Failure(file).
  explicit PartialFile(const std::string& target);
  ~PartialFile();  // removes it, unless it was published
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::string& path() const { return path_; }

  // Both flush the file to its disk, give it the mode and the target's name, and return it with a launch's
  // lock. The first throws Failure(file) if a file of that name exists, the second if it is another one than
  // `replaced`, which stays.
  FileDescriptor publish(mode_t mode);
  FileDescriptor replace_target(mode_t mode, const FileDescriptor& replaced);

 private:
  void complete(mode_t mode);
  bool publish_by_link();
  bool exchange_names();

  std::string target_;
  std::string path_;
  FileDescriptor file_;
};

mode_t mode_of_new_files();
// The file's mode; nothing if the file does not exist.
std::optional<mode_t> mode_of(const std::string& path);

// Partial files of the target that no process writes any more: a launch was killed before it could publish
// them.
std::vector<std::string> orphans_of(const std::string& target);
void remove_orphans_of(const std::string& target);

// Why no results file can have this name, or "": "File name too long". Its name while it is written counts
// too.
std::string obstacle_to(const std::string& path);

// What keeps the disk of `path` from taking so many more bytes, in a sentence, or "".
std::string shortage_of_space(const std::string& path, std::uint64_t bytes);

}  // namespace breakeven::hdf5
