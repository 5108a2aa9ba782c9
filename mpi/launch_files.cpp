// SPDX-License-Identifier: Apache-2.0
#include "mpi/launch_files.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "mpi/local_ranks.h"

namespace breakeven {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool has_ended(pid_t process) {
  const auto found = look_at(process);
  return !found || found->state == 'Z';
}

}  // namespace

// Open MPI 4 names a segment by host, user, job and rank (opal/mca/btl/vader, mca_btl_vader_component_init).
LaunchFiles files_of_launch() {
  LaunchFiles files{.launcher = getppid(), .shared_memory = "", .session_directory = ""};
  const std::string job = variable("PMIX_NAMESPACE");
  const std::string host = variable("PMIX_HOSTNAME");
  if (job.empty() || host.empty() || variable("OMPI_COMM_WORLD_SIZE").empty()) return files;
  char name[512];
  std::snprintf(name, sizeof(name), "/dev/shm/vader_segment.%s.%u.%x.%d", host.c_str(), geteuid(),
                static_cast<unsigned>(std::strtoul(job.c_str(), nullptr, 10)), rank_by_environment());
  files.shared_memory = name;
  const std::string folder = variable("OMPI_MCA_orte_jobfam_session_dir");
  if (folder.find("/ompi.") != std::string::npos) files.session_directory = folder;
  return files;
}

void remove_leftovers(const LaunchFiles& files) {
  std::error_code none;
  if (!files.shared_memory.empty()) unlink(files.shared_memory.c_str());
  if (!files.session_directory.empty() && has_ended(files.launcher))
    std::filesystem::remove_all(files.session_directory, none);
}

}  // namespace breakeven
