// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cupti/cupti_library.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "src/core/failure.h"

namespace breakeven {
namespace {

namespace fs = std::filesystem;

// "": where the system's loader looks. Toolkits keep CUPTI beside the runtime or in extras.
std::vector<fs::path> folders() {
  std::vector<fs::path> places{""};
  const auto add = [&](const fs::path& toolkit) {
    for (const char* const below : {"lib64", "lib", "extras/CUPTI/lib64"}) places.push_back(toolkit / below);
  };
  Dl_info runtime{};
  if (dladdr(reinterpret_cast<void*>(&cudaGetDeviceCount), &runtime) != 0 && runtime.dli_fname != nullptr) {
    const fs::path folder = fs::path(runtime.dli_fname).parent_path();
    places.push_back(folder);
    add(folder.parent_path());
    add(folder.parent_path().parent_path().parent_path());  // TOOLKIT/targets/PLATFORM/lib
  }
  for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* const toolkit = std::getenv(variable)) add(toolkit);
  }
  add("/usr/local/cuda");
  return places;
}

void* load() {
  const std::string name = "libcupti.so." + std::to_string(CUDART_VERSION / 1000);
  for (const fs::path& folder : folders()) {
    if (void* const library = dlopen((folder / name).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  throw Failure(ExitCode::environment,
                name +
                    ", which records kernels, cannot be loaded. Install the CUDA toolkit's "
                    "CUPTI, or set CUDA_HOME to a toolkit that has it");
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr)
    throw Failure(ExitCode::environment, std::string("CUPTI has no function ") + name + ": it is too old");
}

}  // namespace

CuptiLibrary::CuptiLibrary() {
  void* const library = load();
  find(library, "cuptiActivityRegisterCallbacks", register_callbacks);
  find(library, "cuptiActivityEnable", enable);
  find(library, "cuptiActivityFlushAll", flush_all);
  find(library, "cuptiActivityGetNextRecord", next_record);
  find(library, "cuptiActivityGetNumDroppedRecords", dropped_records);
  find(library, "cuptiGetTimestamp", timestamp);
  find(library, "cuptiGetResultString", result_string);
}

}  // namespace breakeven
