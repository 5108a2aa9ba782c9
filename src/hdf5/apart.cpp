// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/apart.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "src/core/failure.h"

namespace breakeven::hdf5 {
namespace {

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

// A process with a GPU, or under a sanitizer, has far more addresses than memory.
std::uint64_t address_bytes() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void limit(int resource, std::uint64_t soft, std::uint64_t hard) {
  const rlimit bounds{soft, hard};
  setrlimit(static_cast<__rlimit_resource>(resource), &bounds);
}

// Without what MPI and this program have set up to tell of a crash: it is the parent that tells.
void become_apart(const ApartLimits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM, SIGPIPE})
    signal(number, SIG_DFL);
  for (const int number : {SIGINT, SIGTERM, SIGUSR1}) signal(number, SIG_IGN);  // the parent decides
  dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
  const std::uint64_t addresses = address_bytes() + limits.memory_bytes;
  limit(RLIMIT_AS, addresses, addresses);
  limit(RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + 1);
  limit(RLIMIT_CORE, 0, 0);
}

}  // namespace

void Sender::send(const void* data, std::size_t bytes) const {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = write(descriptor_, next, bytes);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) _exit(1);
    next += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
}

Apart::Apart(const ApartLimits& limits, const std::function<void(const Sender&)>& work)
    : limits_(limits), deadline_ms_(now_ms() + std::int64_t{1000} * limits.wall_seconds) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Failure(ExitCode::environment, fmt::format("pipe: {}", std::strerror(errno)));
  pipe_ = FileDescriptor(ends[0]);
  const FileDescriptor to_parent(ends[1]);
  constexpr int wide = 1 << 20;
  fcntl(ends[0], F_SETPIPE_SZ, wide);  // faster where the system allows it
  child_ = fork();
  if (child_ < 0) throw Failure(ExitCode::environment, fmt::format("fork: {}", std::strerror(errno)));
  if (child_ > 0) return;
  become_apart(limits);
  work(Sender(to_parent.get()));
  _exit(0);
}

Apart::~Apart() {
  if (child_ > 0) kill(child_, SIGKILL);
  while (child_ > 0 && waitpid(child_, nullptr, 0) < 0 && errno == EINTR) continue;
}

bool Apart::receive(void* data, std::size_t bytes) {
  char* next = static_cast<char*>(data);
  while (bytes > 0) {
    pollfd wanted{pipe_.get(), POLLIN, 0};
    const std::int64_t left = deadline_ms_ - now_ms();
    is_late_ = left <= 0;
    if (is_late_) return false;
    if (poll(&wanted, 1, static_cast<int>(left)) <= 0) continue;
    const ssize_t got = read(pipe_.get(), next, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

std::string Apart::end() {
  if (is_late_) kill(child_, SIGKILL);
  int status = 0;
  rusage used{};
  while (wait4(child_, &status, 0, &used) < 0 && errno == EINTR) continue;
  child_ = -1;
  if (is_late_) return fmt::format("did not finish within {} s", limits_.wall_seconds);
  if (!WIFSIGNALED(status)) return "ended early";
  const int number = WTERMSIG(status);
  const bool ran_out = used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1 >= limits_.cpu_seconds;
  if (number == SIGXCPU || (number == SIGKILL && ran_out))
    return fmt::format("did not finish within {} s of processor time", limits_.cpu_seconds);
  if (number == SIGKILL || number == SIGTERM || number == SIGHUP)
    throw Failure(
        ExitCode::environment,
        fmt::format("the process that reads files for this one was ended from outside ({}), perhaps for "
                    "want of memory",
                    strsignal(number)));
  return fmt::format("crashed ({})", strsignal(number));
}

}  // namespace breakeven::hdf5
