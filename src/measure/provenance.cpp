// SPDX-License-Identifier: Apache-2.0
#include "src/measure/provenance.h"

#include <array>
#include <chrono>
#include <string_view>

#include <fmt/chrono.h>
#include <hdf5.h>
#include <sys/utsname.h>

#include "kernels/gpus.h"
#include "mpi/transports.h"
#include "version.h"

extern char** environ;

namespace breakeven::measure {
namespace {

// A star matches any ending. Of Open MPI's variables, only those that select how it communicates and writes:
// its launcher sets others that contain host addresses.
constexpr std::array<std::string_view, 16> recorded_variables{"NCCL_*",
                                                              "CUDA_VISIBLE_DEVICES",
                                                              "CUDA_DEVICE_MAX_CONNECTIONS",
                                                              "CUDA_MODULE_LOADING",
                                                              "OMPI_MCA_btl*",
                                                              "OMPI_MCA_pml*",
                                                              "OMPI_MCA_coll*",
                                                              "OMPI_MCA_io*",
                                                              "OMPI_MCA_fbtl*",
                                                              "OMPI_MCA_mpi_yield*",
                                                              "OMP_NUM_THREADS",
                                                              "OPENBLAS_NUM_THREADS",
                                                              "UCX_TLS",
                                                              "SLURM_NNODES",
                                                              "SLURM_NTASKS",
                                                              "SLURM_JOB_PARTITION"};

bool is_recorded(std::string_view name) {
  for (const std::string_view entry : recorded_variables) {
    const std::string_view stem = entry.substr(0, entry.find('*'));
    if (stem.size() < entry.size() ? name.starts_with(stem) : name == entry) return true;
  }
  return false;
}

std::vector<std::pair<std::string, std::string>> recorded_environment() {
  std::vector<std::pair<std::string, std::string>> found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos && is_recorded(text.substr(0, equals))) {
      found.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return found;
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace

Launch describe_launch(int argc, char** argv, std::vector<std::pair<std::string, std::string>> settings,
                       const std::string& driver_version) {
  Launch launch;
  launch.started =
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                  fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  launch.command_line = "breakeven";
  for (int i = 0; i < argc; ++i) launch.command_line += std::string(" ") + argv[i];
  launch.git_revision = std::string(git_revision);
  launch.versions = device_versions();
  launch.versions.insert(launch.versions.begin(), {"breakeven", std::string(program_version)});
  launch.versions.emplace_back("driver", driver_version);
  launch.versions.emplace_back("nccl", nccl_version());
  launch.versions.emplace_back("mpi", mpi_library_version());
  launch.versions.emplace_back("hdf5", hdf5_version());
  launch.versions.emplace_back("compiler", std::string(compiler));
  launch.versions.emplace_back("nvcc", std::string(cuda_version));
  launch.versions.emplace_back("cuda_architectures", std::string(cuda_architectures));
  launch.versions.emplace_back("build_type", std::string(build_type));
  utsname system{};
  if (uname(&system) == 0) launch.versions.emplace_back("kernel", system.release);
  launch.settings = std::move(settings);
  launch.environment = recorded_environment();
  return launch;
}

}  // namespace breakeven::measure
