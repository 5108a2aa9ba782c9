// SPDX-License-Identifier: Apache-2.0
#include "src/core/terminate.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "src/core/process_state.h"
#include "src/core/text/printable.h"

namespace breakeven {
namespace {

// What the program was asked to read; set before it does. Never destroyed: needed until the very end.
std::string& input() {
  static std::string* const text = new std::string("this command line");
  return *text;
}

std::atomic<int> final_code = static_cast<int>(ExitCode::timeout);  // what the watchdog's signal ends with
std::atomic<void (*)(int)> end_other_ranks = nullptr;

// All ranks of a launch often fail alike, and rank 0 speaks for them: it ends the others while they wait
// here. The launcher's signal to end is obeyed even where the command handles it otherwise.
void let_rank_0_speak() {
  if (process_state().rank <= 0) return;
  std::signal(SIGTERM, [](int) { std::_Exit(final_code); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // goes on after a signal
}

// What the standard library throws, in a sentence of this program: its own texts name functions, not inputs.
std::string cause_of(const std::exception& failure) {
  if (const auto* error = dynamic_cast<const std::filesystem::filesystem_error*>(&failure))
    return error->path1().string() + ": " + error->code().message();
  if (const auto* error = dynamic_cast<const std::system_error*>(&failure)) return error->code().message();
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr)
    return "there is not enough memory for " + input();
  if (dynamic_cast<const std::length_error*>(&failure) != nullptr)
    return input() + " asks for more than fits into memory";
  return "breakeven cannot handle " + input() +
         ". Please report it with that input: this is a fault of the program";
}

[[noreturn]] void end_with_current_exception() {
  try {
    if (const auto current = std::current_exception()) std::rethrow_exception(current);
  } catch (const Failure& failure) {
    end_job(failure.code(), failure.what());
  } catch (const std::exception& failure) {
    end_job(ExitCode::environment, cause_of(failure));
  } catch (...) {
    end_job(ExitCode::environment, "an exception of unknown type");
  }
  end_job(ExitCode::environment, "std::terminate was called without an exception");
}

}  // namespace

void install_terminate_handler() {
  std::set_terminate(end_with_current_exception);
  struct sigaction action = {};
  action.sa_handler = [](int) { std::_Exit(final_code); };
  sigfillset(&action.sa_mask);
  sigaction(SIGALRM, &action, nullptr);
}

std::string last_words(int rank, const std::string& cause) {
  const ProcessState& self = process_state();
  std::string line = "breakeven: ";
  if (rank >= 0) {
    line = "[rank " + std::to_string(rank) + " " + self.host.data();
    if (rank == self.rank && self.gpu >= 0) line += " gpu " + std::to_string(self.gpu);
    line += "] ";
  }
  line += cause;
  if (const std::string activity = current_activity(); !activity.empty())
    line += " (while: " + activity + ")";
  return printable_line(line) + "\n";
}

void end_job(ExitCode code, const std::string& cause) {
  static std::atomic_flag ending;
  while (ending.test_and_set()) pause();  // another thread is ending the process
  final_code = static_cast<int>(code);
  alarm(5);  // ending the other ranks may block: the launcher may be gone
  let_rank_0_speak();
  const std::string line = last_words(process_state().rank, cause);
  std::fflush(stdout);
  std::fputs(line.c_str(), stderr);
  if (const auto end_others = end_other_ranks.load()) end_others(final_code);
  std::_Exit(final_code);
}

void end_other_ranks_by(void (*end)(int code)) { end_other_ranks = end; }

void report_rank_as(int rank, const std::string& host) {
  ProcessState& self = process_state();
  std::snprintf(self.host.data(), self.host.size(), "%s", host.c_str());
  self.rank = rank;
}

void report_gpu_as(int gpu) { process_state().gpu = gpu; }

void report_input_as(const std::string& text) { input() = text; }

void report_activity_as(const std::string& text) {
  ProcessState& self = process_state();
  const unsigned next = self.activities + 1;
  std::snprintf(self.texts[next % 2].data(), self.texts[next % 2].size(), "%s", text.c_str());
  self.activities = next;
}

}  // namespace breakeven
