// SPDX-License-Identifier: Apache-2.0
// A captured CUDA graph whose marks record timed events at every replay.
#pragma once

#include <cuda_runtime_api.h>

#include <span>
#include <vector>

#include "kernels/cuda/cuda_stream.h"
#include "src/core/handle.h"

namespace breakeven {

class CudaGraph final : public Graph {
 public:
  // Captures `body` on `stream` and makes it ready to run. Capture is confined to this thread, so the helper
  // threads of NCCL and the watchdog may go on calling CUDA meanwhile.
  CudaGraph(const GraphBody& body, std::span<Event* const> marks, CudaStream& stream);

  // As many marks as were captured. Launches already enqueued keep theirs.
  void launch(std::span<Event* const> marks, Stream& stream) override;

 private:
  void find_mark_nodes();

  std::vector<cudaEvent_t> marks_;                        // of the next launch
  std::vector<std::vector<cudaGraphNode_t>> mark_nodes_;  // the nodes that record each mark; usually one
  Handle<cudaGraph_t, cudaGraphDestroy> graph_;  // kept, because its nodes identify those of the executable
  Handle<cudaGraphExec_t, cudaGraphExecDestroy> executable_;
};

}  // namespace breakeven
