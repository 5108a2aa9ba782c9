// SPDX-License-Identifier: Apache-2.0
// Libraries of the CUDA toolkit that few launches need, loaded where one does: CUPTI, which a machine that
// runs CUDA programs may lack, and cuBLAS, whose loading takes longer than the rest of a
// program's start.
#pragma once

namespace breakeven {

// Stays loaded until the process ends.
class ToolkitLibrary {
 public:
  // `name` without the toolkit's version: "libcublas.so". Throws Failure(environment), which says what the
  // library is `used_for`, where none can be loaded.
  ToolkitLibrary(const char* name, const char* used_for);

  // Sets `function` to the library's function of that name. Throws Failure(environment) where it has none.
  template <typename Function>
  void find(const char* function_name, Function*& function) const {
    function = reinterpret_cast<Function*>(find(function_name));
  }

 private:
  void* find(const char* function_name) const;

  const char* name_;
  void* library_;
};

}  // namespace breakeven
