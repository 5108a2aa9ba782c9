// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/partial_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "src/core/failure.h"

namespace breakeven::hdf5 {
namespace {

namespace fs = std::filesystem;
// FILE.breakeven-XXXXXX.partial: no name that a user would give to a file.
constexpr std::string_view mark = ".breakeven-", ending = ".partial", random = "XXXXXX";

[[noreturn]] void fail_doing(const std::string& doing) {
  throw Failure(ExitCode::file, fmt::format("{}: {}", doing, std::strerror(errno)));
}

std::string template_beside(const std::string& target) {
  return fmt::format("{}{}{}{}", target, mark, random, ending);
}

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

// Calls `visit` with each while its lock is held, so that nobody takes the name meanwhile.
void for_each_orphan(const std::string& target, const std::function<void(const std::string&)>& visit) {
  const std::string like = template_beside(fs::path(target).filename().string());
  const std::string beginning = like.substr(0, like.size() - random.size() - ending.size());
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_of(target), ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.size() != like.size() || !name.starts_with(beginning) || !name.ends_with(ending)) continue;
    const FileDescriptor file(open(entry.path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file && lock_alone(file)) visit(entry.path().string());
  }
}

}  // namespace

PartialFile::PartialFile(const std::string& target) : target_(target) {
  do {
    path_ = template_beside(target);
    file_ = FileDescriptor(mkostemps(path_.data(), static_cast<int>(ending.size()), O_CLOEXEC));
    if (!file_) fail_doing("creating a file beside " + target);
    lock_alone(file_);
  } while (!is_named(file_, path_));  // another launch took it for an orphan before it was locked
}

PartialFile::~PartialFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

void PartialFile::complete(mode_t mode) {
  if (fchmod(file_.get(), mode) != 0) fail_doing("chmod " + path_);
  if (fsync(file_.get()) != 0) fail_doing("fsync " + path_);
  lock_for_launch(file_);
}

FileDescriptor PartialFile::publish(mode_t mode) {
  complete(mode);
  bool is_done = renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) == 0;
  if (!is_done && (errno == EINVAL || errno == ENOSYS)) is_done = publish_by_link();
  if (!is_done && errno == EEXIST)
    throw Failure(ExitCode::file, target_ + " exists. Choose another --output");
  if (!is_done) fail_doing(fmt::format("renaming {} to {}", path_, target_));
  path_.clear();
  return std::move(file_);
}

// On file systems that cannot rename without replacing. The descriptor would go on to bear the name that is
// removed.
bool PartialFile::publish_by_link() {
  if (link(path_.c_str(), target_.c_str()) != 0) return false;
  unlink(path_.c_str());
  file_ = FileDescriptor(open(target_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!file_) return false;
  lock_for_launch(file_);
  return true;
}

bool PartialFile::exchange_names() {
  return renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0;
}

// Another launch may have moved the target and given its name to a file of its own. Names are exchanged, so
// that such a file is not lost: it gets its name back. File systems that cannot exchange leave an instant
// between the check and the renaming.
FileDescriptor PartialFile::replace_target(mode_t mode, const FileDescriptor& replaced) {
  complete(mode);
  const auto other = [&] {
    return Failure(ExitCode::file,
                   target_ + " was moved or replaced while a launch was added. Nothing was written");
  };
  if (!is_named(replaced, target_)) throw other();
  if (exchange_names()) {
    if (!is_named(replaced, path_)) {
      exchange_names();
      throw other();
    }
    unlink(path_.c_str());
  } else if (errno == ENOENT) {
    throw other();
  } else if (std::rename(path_.c_str(), target_.c_str()) != 0) {
    fail_doing(fmt::format("renaming {} to {}", path_, target_));
  }
  path_.clear();
  return std::move(file_);
}

mode_t mode_of_new_files() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

std::optional<mode_t> mode_of(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return std::nullopt;
  return info.st_mode & 07777;
}

std::vector<std::string> orphans_of(const std::string& target) {
  std::vector<std::string> orphans;
  for_each_orphan(target, [&](const std::string& orphan) { orphans.push_back(orphan); });
  return orphans;
}

void remove_orphans_of(const std::string& target) {
  for_each_orphan(target, [](const std::string& orphan) { unlink(orphan.c_str()); });
}

std::string obstacle_to(const std::string& path) {
  struct stat info {};
  for (const std::string& name : {path, template_beside(path)})
    if (stat(name.c_str(), &info) != 0 && errno != ENOENT) return std::strerror(errno);
  return "";
}

std::string shortage_of_space(const std::string& path, std::uint64_t bytes) {
  struct statvfs disk {};
  if (statvfs(folder_of(path).c_str(), &disk) == 0 && disk.f_bavail * disk.f_frsize < bytes)
    return fmt::format("{} needs {} bytes, and its disk has {} bytes free", path, bytes,
                       disk.f_bavail * disk.f_frsize);
  rlimit largest{};
  if (getrlimit(RLIMIT_FSIZE, &largest) == 0 && largest.rlim_cur < bytes)
    return fmt::format("{} needs {} bytes, and files may have {} bytes (ulimit -f)", path, bytes,
                       largest.rlim_cur);
  return "";
}

}  // namespace breakeven::hdf5
