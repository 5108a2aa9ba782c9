// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/toolkit_library.h"

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

// "": where the system's loader looks. Toolkits keep libraries beside the runtime, and CUPTI in extras.
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

void* load(const std::string& file) {
  for (const fs::path& folder : folders()) {
    if (void* const library = dlopen((folder / file).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

}  // namespace

ToolkitLibrary::ToolkitLibrary(const char* name, const char* used_for) : name_(name) {
  const std::string file = std::string(name) + "." + std::to_string(CUDART_VERSION / 1000);
  library_ = load(file);
  if (library_ == nullptr) {
    throw Failure(ExitCode::environment,
                  file + ", which " + used_for +
                      ", cannot be loaded. Install this library of the CUDA toolkit, or set "
                      "CUDA_HOME to a toolkit that has it");
  }
}

void* ToolkitLibrary::find(const char* function_name) const {
  if (void* const function = dlsym(library_, function_name)) return function;
  throw Failure(ExitCode::environment,
                std::string(name_) + " has no function " + function_name + ": it is too old");
}

}  // namespace breakeven
