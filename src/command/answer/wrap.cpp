// SPDX-License-Identifier: Apache-2.0
// `breakeven wrap`: measures any other training program. It is part of the Python package, which has the
// writer of its results file (analysis/breakeven_analysis/wrap), so this process becomes that one.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "src/command/answer/file_command.h"
#include "src/command/command.h"

namespace breakeven::command {
namespace {

// Without the working folder on the path of modules: a `random.py` there would replace Python's own.
constexpr const char* start_package = R"(import sys
if sys.path[:1] == [""]: del sys.path[0]
try: from breakeven_analysis.wrap import main
except ImportError as problem:
    print(f"breakeven wrap: {problem}. wrap is part of the Python package: pip install ./analysis. "
          f"{sys.executable} lacks it; name another interpreter in BREAKEVEN_PYTHON", file=sys.stderr)
    sys.exit(2)
sys.exit(main()))";

}  // namespace

ExitCode wrap_command(int argc, char** argv) {
  const char* named = std::getenv("BREAKEVEN_PYTHON");
  std::string python = named != nullptr && *named != '\0' ? named : "python3";
  std::string option = "-c", code = start_package;
  std::vector<char*> words{python.data(), option.data(), code.data()};
  words.insert(words.end(), argv + 1, argv + argc);
  words.push_back(nullptr);
  execvp(python.c_str(), words.data());
  return refuse("wrap",
                "wrap is part of the Python package, and '" + python +
                    "' cannot be started: " + std::strerror(errno) +
                    ". Run: pip install ./analysis, and name the interpreter in BREAKEVEN_PYTHON",
                ExitCode::environment);
}

}  // namespace breakeven::command
