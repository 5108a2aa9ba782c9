// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cuda_graph.h"

#include <algorithm>
#include <string>

#include "kernels/cuda/cuda_check.h"
#include "src/core/failure.h"

namespace breakeven {
namespace {

void make_marks(std::span<Event* const> events, bool are_marks) {
  for (Event* event : events) dynamic_cast<CudaEvent&>(*event).make_mark(are_marks);
}

}  // namespace

CudaGraph::CudaGraph(const GraphBody& body, std::span<Event* const> marks, CudaStream& stream)
    : mark_nodes_(marks.size()) {
  for (const Event* mark : marks) marks_.push_back(cuda_event(*mark));
  make_marks(marks, true);
  CUDA_CALL(cudaStreamBeginCapture(stream.raw(), cudaStreamCaptureModeThreadLocal));
  body(marks);
  CUDA_CALL(cudaStreamEndCapture(stream.raw(), graph_.out()));
  make_marks(marks, false);
  find_mark_nodes();
  CUDA_CALL(cudaGraphInstantiate(executable_.out(), graph_.get(), 0));
  CUDA_CALL(cudaGraphUpload(executable_.get(), stream.raw()));  // otherwise the first launch pays for it
}

// Finds which nodes record which mark: each node holds the event that was recorded in the capture.
void CudaGraph::find_mark_nodes() {
  std::size_t count = 0;
  CUDA_CALL(cudaGraphGetNodes(graph_.get(), nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  CUDA_CALL(cudaGraphGetNodes(graph_.get(), nodes.data(), &count));
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    CUDA_CALL(cudaGraphNodeGetType(node, &type));
    if (type != cudaGraphNodeTypeEventRecord) continue;
    cudaEvent_t recorded = nullptr;
    CUDA_CALL(cudaGraphEventRecordNodeGetEvent(node, &recorded));
    const auto mark = std::find(marks_.begin(), marks_.end(), recorded);
    if (mark != marks_.end()) mark_nodes_[static_cast<std::size_t>(mark - marks_.begin())].push_back(node);
  }
}

void CudaGraph::launch(std::span<Event* const> marks, Stream& stream) {
  if (marks.size() != marks_.size()) {
    throw misused_call("CudaGraph::launch", __FILE__, __LINE__, std::to_string(marks.size()) + " marks given",
                       "captured with " + std::to_string(marks_.size()));
  }
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const cudaEvent_t event = cuda_event(*marks[i]);
    if (event == marks_[i]) continue;
    for (const cudaGraphNode_t node : mark_nodes_[i]) {
      CUDA_CALL(cudaGraphExecEventRecordNodeSetEvent(executable_.get(), node, event));
    }
    marks_[i] = event;
  }
  CUDA_CALL(cudaGraphLaunch(executable_.get(), cuda_stream(stream)));
}

}  // namespace breakeven
