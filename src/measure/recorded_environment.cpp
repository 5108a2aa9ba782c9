// SPDX-License-Identifier: Apache-2.0
#include "src/measure/recorded_environment.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>

#include <fmt/chrono.h>
#include <hdf5.h>
#include <sys/utsname.h>

#include "kernels/gpus.h"
#include "mpi/transports.h"
#include "src/core/text/shell_words.h"
#include "version.h"

extern char** environ;

namespace breakeven::measure {
namespace {

constexpr std::array<std::string_view, 9> secrets{"KEY",        "TOKEN", "SECRET",     "PASSWORD", "PASSWD",
                                                  "PASSPHRASE", "AUTH",  "CREDENTIAL", "COOKIE"};

// What changes how fast a launch computes, exchanges or writes. Of NCCL: its documented variables
// (https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html). Behind the prefix.
constexpr std::array<std::string_view, 65> of_nccl{"ALGO",
                                                   "BUFFSIZE",
                                                   "CGA_CLUSTER_SIZE",
                                                   "COLLNET_ENABLE",
                                                   "COLLNET_NODE_THRESHOLD",
                                                   "COMM_BLOCKING",
                                                   "CROSS_NIC",
                                                   "CTA_POLICY",
                                                   "CUMEM_ENABLE",
                                                   "CUMEM_HOST_ENABLE",
                                                   "DEBUG",
                                                   "DEBUG_SUBSYS",
                                                   "DMABUF_ENABLE",
                                                   "GRAPH_MIXING_SUPPORT",
                                                   "GRAPH_REGISTER",
                                                   "IB_ADAPTIVE_ROUTING",
                                                   "IB_AR_THRESHOLD",
                                                   "IB_DISABLE",
                                                   "IB_GID_INDEX",
                                                   "IB_HCA",
                                                   "IB_PCI_RELAXED_ORDERING",
                                                   "IB_QPS_PER_CONNECTION",
                                                   "IB_RETRY_CNT",
                                                   "IB_SL",
                                                   "IB_SPLIT_DATA_ON_QPS",
                                                   "IB_TC",
                                                   "IB_TIMEOUT",
                                                   "LAUNCH_MODE",
                                                   "LL128_BUFFSIZE",
                                                   "LL_BUFFSIZE",
                                                   "LOCAL_REGISTER",
                                                   "MAX_CTAS",
                                                   "MAX_NCHANNELS",
                                                   "MAX_P2P_NCHANNELS",
                                                   "MIN_CTAS",
                                                   "MIN_NCHANNELS",
                                                   "MIN_P2P_NCHANNELS",
                                                   "MNNVL_ENABLE",
                                                   "NCHANNELS_PER_NET_PEER",
                                                   "NET",
                                                   "NET_GDR_LEVEL",
                                                   "NET_GDR_READ",
                                                   "NET_PLUGIN",
                                                   "NET_SHARED_BUFFERS",
                                                   "NSOCKS_PERTHREAD",
                                                   "NTHREADS",
                                                   "NVB_DISABLE",
                                                   "NVLS_ENABLE",
                                                   "NVLS_NCHANNELS",
                                                   "P2P_DIRECT_DISABLE",
                                                   "P2P_DISABLE",
                                                   "P2P_LEVEL",
                                                   "P2P_NET_CHUNKSIZE",
                                                   "P2P_NVL_CHUNKSIZE",
                                                   "P2P_PCI_CHUNKSIZE",
                                                   "P2P_PXN_LEVEL",
                                                   "P2P_USE_CUDA_MEMCPY",
                                                   "PROTO",
                                                   "PXN_DISABLE",
                                                   "SHM_DISABLE",
                                                   "SHM_USE_CUDA_MEMCPY",
                                                   "SOCKET_NTHREADS",
                                                   "TUNER_PLUGIN",
                                                   "VERSION",
                                                   "WIN_ENABLE"};

// Open MPI's variables that select how it communicates and writes, without their prefix.
constexpr std::array<std::string_view, 20> of_open_mpi{"btl",
                                                       "btl_smcuda_use_cuda_ipc",
                                                       "btl_tcp_eager_limit",
                                                       "btl_tcp_links",
                                                       "btl_vader_eager_limit",
                                                       "btl_vader_single_copy_mechanism",
                                                       "coll",
                                                       "coll_hcoll_enable",
                                                       "coll_tuned_allgather_algorithm",
                                                       "coll_tuned_allreduce_algorithm",
                                                       "coll_tuned_bcast_algorithm",
                                                       "coll_tuned_reduce_algorithm",
                                                       "coll_tuned_reduce_scatter_algorithm",
                                                       "coll_tuned_use_dynamic_rules",
                                                       "fbtl",
                                                       "fcoll",
                                                       "io",
                                                       "mpi_yield_when_idle",
                                                       "osc",
                                                       "pml"};

constexpr std::array<std::string_view, 9> others{"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_MAX_CONNECTIONS",
                                                 "CUDA_MODULE_LOADING",  "OMP_NUM_THREADS",
                                                 "OPENBLAS_NUM_THREADS", "UCX_TLS",
                                                 "SLURM_NNODES",         "SLURM_NTASKS",
                                                 "SLURM_JOB_PARTITION"};

bool is_listed(std::string_view name) {
  const auto one_of = [&](std::string_view prefix, const auto& names) {
    return name.starts_with(prefix) && std::ranges::find(names, name.substr(prefix.size())) != names.end();
  };
  return one_of("NCCL_", of_nccl) || one_of("OMPI_MCA_", of_open_mpi) || one_of("", others);
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

// Of a list "NAME=VALUE,NAME=VALUE". What follows a comma without a name of its own is still the value.
std::string without_secrets(std::string_view word) {
  std::string shown;
  for (bool is_hidden = false; !word.empty();) {
    const std::string_view part = word.substr(0, std::min(word.find(','), word.size() - 1) + 1);
    std::size_t name = part.find('=');
    is_hidden = is_hidden && name == part.npos;
    while (name != part.npos && !looks_secret(part.substr(0, name))) name = part.find('=', name + 1);
    if (name != part.npos)
      shown.append(part.substr(0, name + 1)).append(part.ends_with(',') ? "***," : "***");
    if (name == part.npos && !is_hidden) shown += part;
    is_hidden = is_hidden || name != part.npos;
    word.remove_prefix(part.size());
  }
  return shown;
}

}  // namespace

bool looks_secret(std::string_view name) {
  std::string upper(name);
  for (char& character : upper)
    character = static_cast<char>(std::toupper(static_cast<unsigned char>(character)));
  return std::ranges::any_of(secrets,
                             [&](std::string_view secret) { return upper.find(secret) != upper.npos; });
}

Variables recorded_environment(const Variables& chosen) {
  Variables found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    const bool is_wanted =
        is_listed(name) || std::ranges::any_of(chosen, [&](const auto& one) { return one.first == name; });
    if (name.size() < text.size() && is_wanted && !looks_secret(name))
      found.emplace_back(name, text.substr(name.size() + 1));
  }
  return found;
}

std::string recorded_command_line(int argc, char** argv) {
  std::vector<std::string> words{"breakeven"};
  for (int i = 0; i < argc; ++i) words.push_back(without_secrets(argv[i]));
  return shell_line(words);
}

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
