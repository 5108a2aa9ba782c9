// SPDX-License-Identifier: Apache-2.0
#include "src/measure/provenance.h"

#include <chrono>

#include <fmt/chrono.h>
#include <hdf5.h>
#include <sys/utsname.h>

#include "kernels/gpus.h"
#include "mpi/transports.h"
#include "version.h"

namespace breakeven::measure {
namespace {

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace

Launch describe_launch(int argc, char** argv, Variables settings, const std::string& driver_version,
                       const Variables& nccl) {
  Launch launch;
  launch.started =
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                  fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  launch.command_line = recorded_command_line(argc, argv);
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
  launch.environment = recorded_environment(nccl);
  return launch;
}

}  // namespace breakeven::measure
