// SPDX-License-Identifier: Apache-2.0
// The main of tests that run on several ranks: one rank prints, all ranks return the same code, a test that
// does not come back is ended, and an exception ends all ranks.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "mpi/binding.h"
#include "mpi/watchdog.h"
#include "src/core/terminate.h"
#include "tests/support/chosen_tests.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

const Session* open_session = nullptr;

// Of the ranks that do not print, failures only.
class FailurePrinter : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "[rank %d] %s:%d: %s\n", test_session().rank(),
                 result.file_name() != nullptr ? result.file_name() : "?", result.line_number(),
                 result.message());
  }
};

class TestName : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& info) override {
    report_activity_as(std::string(info.test_suite_name()) + "." + info.name());
  }
};

ExitCode run_tests() {
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  if (!test_session().is_root()) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter);
  }
  listeners.Append(new TestName);
  if (RUN_ALL_TESTS() != 0) return ExitCode::wrong_numbers;
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  return tests.successful_test_count() == 0 ? ExitCode::skipped : ExitCode::success;
}

// Failures outweigh skips, which are a larger number.
ExitCode agree(ExitCode mine) {
  const bool failed = mine != ExitCode::success && mine != ExitCode::skipped;
  const ExitCode worst = test_session().agree(failed ? mine : ExitCode::success);
  return worst != ExitCode::success ? worst : test_session().agree(mine);
}

}  // namespace

const Session& test_session() { return *open_session; }

bool testing_on_cuda() {
  const char* const device = std::getenv("BREAKEVEN_TEST_DEVICE");
  return device != nullptr && std::string_view(device) == "cuda";
}

bool sharing_test_gpus() {
  const char* const shares = std::getenv("BREAKEVEN_TEST_SHARE_GPUS");
  return shares != nullptr && std::string_view(shares) == "1";
}

std::unique_ptr<Device> make_test_device() {
  return testing_on_cuda() ? make_cuda_device(bind_gpu(test_session(), sharing_test_gpus()).gpu)
                           : make_host_device();
}

}  // namespace breakeven

int main(int argc, char** argv) {
  using namespace breakeven;
  const char* const seconds = std::getenv("BREAKEVEN_TEST_SECONDS");
  start_watchdog(seconds != nullptr ? std::atoi(seconds) : 40);  // CTest's own limit is longer, and says less
  testing::InitGoogleTest(&argc, argv);
  choose_tests(argc, argv);
  const Session session(&argc, &argv);
  open_session = &session;
  testing::GTEST_FLAG(catch_exceptions) = false;  // the terminate handler is what ends the other ranks
  if (testing_on_cuda()) {
    const Binding binding = bind_gpu(session, sharing_test_gpus());
    if (binding.gpu < 0) {
      if (session.is_root()) std::printf("skipped: %s\n", binding.sentence.c_str());
      return static_cast<int>(ExitCode::skipped);
    }
  }
  return static_cast<int>(agree(run_tests()));
}
