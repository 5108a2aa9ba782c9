// SPDX-License-Identifier: Apache-2.0
// What a rank's replica is made of.
#pragma once

#include <cstdint>

#include "kernels/precision.h"
#include "kernels/product.h"
#include "src/model/model_shape.h"

namespace breakeven {

enum class LossKind { mean_squared_error, softmax_cross_entropy };
enum class OptimizerKind { adam, sgd };

struct ReplicaSettings {
  ModelShape shape;
  std::uint32_t global_batch = 0;
  std::uint32_t first_sample = 0;  // place of this replica's first row in the global batch
  std::uint32_t rows = 0;          // this replica's part of the batch
  LossKind loss = LossKind::mean_squared_error;
  OptimizerKind optimizer = OptimizerKind::adam;
  AdamSettings adam;  // its learning rate is SGD's as well
  std::uint64_t seed = 42;
  Precision precision = Precision::fp32;
  GemmKernel gemm = GemmKernel::tuned;
  std::uint32_t total_steps = 0;  // slots of the loss history
  std::uint32_t rows_of_mean =
      0;                        // the loss and its gradient are means over so many rows; 0: the global batch
  float share = 1;              // of its loss in the global batch's, which is the sum over the ranks
  bool keep_gradients = false;  // also where the update is made as they appear: for those who look at them

  std::uint32_t loss_divisor() const { return rows_of_mean != 0 ? rows_of_mean : global_batch; }
  Element element() const { return info_of(precision).element; }
};

}  // namespace breakeven
