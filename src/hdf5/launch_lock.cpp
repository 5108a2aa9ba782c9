// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/launch_lock.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "src/core/failure.h"

namespace breakeven::hdf5 {
namespace {

// Returns false, with errno, where another process holds a conflicting lock. The lock belongs to the
// descriptor, not to the process ("open file description lock"), because HDF5 opens and closes the same file
// in the meantime.
bool set_lock(const FileDescriptor& file, short type) {
  struct flock byte {};
  byte.l_type = type;
  byte.l_whence = SEEK_SET;
  byte.l_start = off_t{1} << 62;
  byte.l_len = 1;
  return fcntl(file.get(), F_OFD_SETLK, &byte) == 0;
}

}  // namespace

FileDescriptor lock_to_replace(const std::string& path) {
  while (true) {
    FileDescriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!file) throw Failure(ExitCode::file, path + ": " + std::strerror(errno));
    if (!set_lock(file, F_WRLCK) && (errno == EAGAIN || errno == EACCES))
      throw Failure(ExitCode::file,
                    path + " is being written by another launch: wait for it, or choose another --output");
    if (is_named(file, path)) return file;  // else it was replaced between the two calls
  }
}

bool lock_alone(const FileDescriptor& file) { return set_lock(file, F_WRLCK); }

void lock_for_launch(const FileDescriptor& file) { set_lock(file, F_RDLCK); }

bool is_named(const FileDescriptor& file, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return fstat(file.get(), &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace breakeven::hdf5
