// SPDX-License-Identifier: Apache-2.0
// CUPTI's layouts grow at the end from version to version, so a record of a newer library is read by the
// layout of CUDA 12.0.
#include "kernels/kernel_recorder.h"

#include <cxxabi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

#include "kernels/cuda/cupti/cupti_library.h"
#include "src/core/failure.h"

namespace breakeven {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{8} << 20;
constexpr std::size_t buffer_alignment = 8;  // CUPTI's
constexpr int tries = 5;

const CuptiLibrary& cupti() {
  static const CuptiLibrary library;
  return library;
}

void check_cupti(CUptiResult result, const char* what) {
  if (result == CUPTI_SUCCESS) return;
  const char* cause = nullptr;
  cupti().result_string(result, &cause);
  throw Failure(ExitCode::environment, std::string("CUPTI cannot ") + what + ": " +
                                           (cause != nullptr ? cause : "?") +
                                           ". Only one profiler can be attached to a process");
}

// CUPTI calls back without an argument of the caller's, from threads of its own.
struct Received {
  std::mutex mutex;
  NodeRecording recording;
};
Received& received() {
  static Received all;
  return all;
}

std::string demangled(const char* name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string readable = status == 0 ? text : name;
  std::free(text);
  return readable;
}

const char* direction_of(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "host to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "device to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "device to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
      return "GPU to GPU";
    default:
      return "memory to memory";
  }
}

// What the layouts of all kinds have in common under the same names.
template <typename Activity>
NodeRecord common_part(const Activity& a, NodeKind kind) {
  NodeRecord node;
  node.kind = kind;
  node.start_ns = static_cast<std::int64_t>(a.start);
  node.end_ns = static_cast<std::int64_t>(a.end);
  node.stream = a.streamId;
  node.graph = a.graphId;
  node.graph_node = a.graphNodeId;
  node.launch = a.correlationId;
  return node;
}

NodeRecord kernel_of(const CUpti_ActivityKernel8& a) {
  NodeRecord node = common_part(a, NodeKind::kernel);
  const auto size = [](std::int32_t x, std::int32_t y, std::int32_t z) {
    return std::array{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                      static_cast<std::uint32_t>(z)};
  };
  node.name = demangled(a.name);
  node.grid = size(a.gridX, a.gridY, a.gridZ);
  node.block = size(a.blockX, a.blockY, a.blockZ);
  return node;
}

template <typename Activity>
NodeRecord copy_of(const Activity& a) {
  NodeRecord node = common_part(a, NodeKind::copy);
  node.name = direction_of(a.copyKind);
  node.bytes = a.bytes;
  return node;
}

NodeRecord set_of(const CUpti_ActivityMemset4& a) {
  NodeRecord node = common_part(a, NodeKind::set);
  node.name = "memset";
  node.bytes = a.bytes;
  return node;
}

void keep(const CUpti_Activity& a, std::vector<NodeRecord>& nodes) {
  const void* const record = &a;
  switch (a.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      nodes.push_back(kernel_of(*static_cast<const CUpti_ActivityKernel8*>(record)));
      break;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      nodes.push_back(copy_of(*static_cast<const CUpti_ActivityMemcpy5*>(record)));
      break;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      nodes.push_back(copy_of(*static_cast<const CUpti_ActivityMemcpyPtoP4*>(record)));
      break;
    case CUPTI_ACTIVITY_KIND_MEMSET:
      nodes.push_back(set_of(*static_cast<const CUpti_ActivityMemset4*>(record)));
      break;
    default:
      break;
  }
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
  *size = *buffer != nullptr ? buffer_bytes : 0;
  *most_records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t /*size*/,
                          std::size_t valid) {
  const std::lock_guard lock(received().mutex);
  CUpti_Activity* record = nullptr;
  while (cupti().next_record(buffer, valid, &record) == CUPTI_SUCCESS)
    keep(*record, received().recording.nodes);
  std::size_t dropped = 0;
  if (cupti().dropped_records(context, stream, &dropped) == CUPTI_SUCCESS)
    received().recording.dropped += dropped;
  std::free(buffer);
}

// CUPTI's clock and the host's at the same time: the shortest of several tries.
struct ClockPair {
  std::int64_t cupti_ns = 0;
  std::int64_t host_ns = 0;
  std::int64_t half_ns = std::numeric_limits<std::int64_t>::max();  // the true time is at most this far away
};

std::int64_t host_now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

ClockPair read_both_clocks() {
  ClockPair best;
  for (int attempt = 0; attempt < tries; ++attempt) {
    std::uint64_t now = 0;
    const std::int64_t before = host_now_ns();
    check_cupti(cupti().timestamp(&now), "read its clock");
    const std::int64_t half = (host_now_ns() - before + 1) / 2;
    if (half < best.half_ns) best = {static_cast<std::int64_t>(now), before + half, half};
  }
  return best;
}

// Each clock runs at a constant speed between the two readings.
std::int64_t to_host(std::int64_t ns, const ClockPair& first, const ClockPair& last) {
  const double share =
      static_cast<double>(ns - first.cupti_ns) / static_cast<double>(last.cupti_ns - first.cupti_ns);
  const std::int64_t gained = (last.host_ns - last.cupti_ns) - (first.host_ns - first.cupti_ns);
  return ns + first.host_ns - first.cupti_ns + static_cast<std::int64_t>(share * static_cast<double>(gained));
}

NodeRecording take_received() {
  check_cupti(cupti().flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "hand over its records");
  const std::lock_guard lock(received().mutex);
  return std::exchange(received().recording, {});
}

class CuptiRecorder : public KernelRecorder {
 public:
  CuptiRecorder() { cupti(); }

  void start() override {
    check_cupti(cupti().register_callbacks(give_buffer, take_buffer), "be started");
    for (const CUpti_ActivityKind kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                          CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET})
      check_cupti(cupti().enable(kind), "record kernels and copies");
  }

  void clear() override {
    take_received();
    begun_ = read_both_clocks();
  }

  NodeRecording take() override {
    const ClockPair ended = read_both_clocks();
    NodeRecording recording = take_received();
    for (NodeRecord& node : recording.nodes) {
      node.start_ns = to_host(node.start_ns, begun_, ended);
      node.end_ns = to_host(node.end_ns, begun_, ended);
    }
    recording.uncertainty_seconds = 1e-9 * static_cast<double>(std::max(begun_.half_ns, ended.half_ns));
    return recording;
  }

 private:
  ClockPair begun_;
};

}  // namespace

std::unique_ptr<KernelRecorder> make_kernel_recorder() { return std::make_unique<CuptiRecorder>(); }

}  // namespace breakeven
