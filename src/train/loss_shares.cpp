// SPDX-License-Identifier: Apache-2.0
#include "src/train/loss_shares.h"

#include "src/train/download.h"

namespace breakeven {

std::vector<float> loss_shares(Device& device, Training& training, std::uint32_t first, std::uint32_t count) {
  Mlp& mlp = training.mlp();
  std::vector<float> losses = download(device, mlp.losses().subspan(first, count), training.stream());
  for (float& loss : losses) loss *= mlp.settings().share;
  return losses;
}

}  // namespace breakeven
