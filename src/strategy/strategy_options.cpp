// SPDX-License-Identifier: Apache-2.0
// The table of options.
#include "src/strategy/strategy_options.h"

#include <array>

#include "src/text/numbers.h"

namespace breakeven {
namespace {

bool set_buckets(std::string_view value, StrategyOptions& options) {
  return parse_bytes(value, options.bucket_bytes);
}

bool set_first_bucket(std::string_view value, StrategyOptions& options) {
  return parse_bytes(value, options.first_bucket_bytes);
}

bool set_compression(std::string_view value, StrategyOptions& options) {
  const std::optional<Compression> compression = parse_compression(value);
  if (compression) options.compression = *compression;
  return compression.has_value();
}

const std::array table{
    StrategyOptionInfo{"buckets", "a size such as 4MB",
                       "gradients a message, sent while the backward pass goes on", set_buckets},
    StrategyOptionInfo{"first-bucket", "a size such as 1MB",
                       "the same for the first message, so that it is sent sooner", set_first_bucket},
    StrategyOptionInfo{"compress", legal_compressions(), "what is sent in the place of the gradient's floats",
                       set_compression},
};

}  // namespace

std::span<const StrategyOptionInfo> strategy_option_table() { return table; }

}  // namespace breakeven
