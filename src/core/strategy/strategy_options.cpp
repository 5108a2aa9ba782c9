// SPDX-License-Identifier: Apache-2.0
// The table of options.
#include "src/core/strategy/strategy_options.h"

#include <array>

#include "src/core/strategy/mesh.h"
#include "src/core/text/numbers.h"

namespace breakeven {
namespace {

constexpr std::uint32_t most_micro_batches = 4096;
constexpr std::uint32_t most_layers_a_checkpoint = 65536;
constexpr std::uint32_t most_ranks = 1u << 16;
constexpr std::uint32_t most_steps = 1000000;

template <std::uint64_t StrategyOptions::*bytes>
bool set_bytes(std::string_view value, StrategyOptions& options) {
  return parse_bytes(value, options.*bytes);
}

// A whole number from 1 to `most`.
template <auto number, std::uint32_t most>
bool set_count(std::string_view value, StrategyOptions& options) {
  const auto count = parse_count(value, most);
  options.*number = count.value_or(0);
  return count.has_value();
}

bool set_compression(std::string_view value, StrategyOptions& options) {
  const std::optional<Compression> compression = parse_compression(value);
  if (compression) options.compression = *compression;
  return compression.has_value();
}

bool set_clip(std::string_view value, StrategyOptions& options) {
  options.clip_norm = parse_number<float>(value).value_or(0);
  return options.clip_norm > 0;
}

bool set_checkpoint(std::string_view value, StrategyOptions& options) {
  constexpr std::string_view what = "activations";
  options.checkpoints = true;
  if (value == what) return true;
  if (!value.starts_with(what) || value[what.size()] != ':') return false;
  const auto layers = parse_count(value.substr(what.size() + 1), most_layers_a_checkpoint);
  options.layers_a_checkpoint = layers.value_or(0);
  return layers.has_value();
}

bool set_schedule(std::string_view value, StrategyOptions& options) {
  options.schedule = value == "gpipe" ? PipelineSchedule::gpipe : PipelineSchedule::one_forward_one_backward;
  return value == "gpipe" || value == "1f1b";
}

bool set_outer(std::string_view value, StrategyOptions& options) {
  options.outer_nesterov = value == "nesterov";
  return options.outer_nesterov || value == "average";
}

bool set_outer_momentum(std::string_view value, StrategyOptions& options) {
  options.outer_momentum = parse_number<float>(value).value_or(-1);
  return options.outer_momentum >= 0 && options.outer_momentum < 1;
}

bool set_outer_rate(std::string_view value, StrategyOptions& options) {
  options.outer_rate = parse_number<float>(value).value_or(0);
  return options.outer_rate > 0 && options.outer_rate <= 10;
}

}  // namespace

std::span<const StrategyOptionInfo> strategy_option_table() {
  static const std::array table{
      StrategyOptionInfo{.key = "buckets",
                         .legal = "a size such as 4MB",
                         .set = set_bytes<&StrategyOptions::bucket_bytes>,
                         .verified_as = {"1kB", "16kB", "256kB"}},
      StrategyOptionInfo{.key = "first-bucket",
                         .legal = "a size such as 1MB",
                         .set = set_bytes<&StrategyOptions::first_bucket_bytes>,
                         .verified_as = {"512B", "8kB"}},
      StrategyOptionInfo{.key = "compress",
                         .legal = legal_compressions(),
                         .set = set_compression,
                         .verified_as = {"bf16", "fp16", "int8", "topk:0.1", "powersgd:2", "onebit"}},
      StrategyOptionInfo{
          .key = "clip", .legal = "a number above 0", .set = set_clip, .verified_as = {"0.01", "1"}},
      StrategyOptionInfo{.key = "accumulate",
                         .legal = "a whole number from 1 to 4096",
                         .set = set_count<&StrategyOptions::accumulate, most_micro_batches>,
                         .verified_as = {"2", "3", "4"}},
      StrategyOptionInfo{.key = "checkpoint",
                         .legal = "activations, or activations:K to keep one in K layers",
                         .set = set_checkpoint,
                         .verified_as = {"activations", "activations:1", "activations:3"}},
      StrategyOptionInfo{
          .key = "schedule", .legal = "gpipe or 1f1b", .set = set_schedule, .verified_as = {"gpipe", "1f1b"}},
      StrategyOptionInfo{.key = micro_batches_option,
                         .legal = "a whole number from 1 to 4096",
                         .set = set_count<&StrategyOptions::micro_batches, most_micro_batches>,
                         .verified_as = {"1", "2", "3", "8"}},
      StrategyOptionInfo{.key = data_option,
                         .legal = "a whole number from 1 to 65536",
                         .set = set_count<&StrategyOptions::data, most_ranks>,
                         .verified_as = {"1", "2"}},
      StrategyOptionInfo{.key = tensor_strategy,
                         .legal = "a whole number from 1 to 65536",
                         .set = set_count<&StrategyOptions::tensor, most_ranks>,
                         .verified_as = {"2", "3"}},
      StrategyOptionInfo{.key = pipeline_strategy,
                         .legal = "a whole number from 1 to 65536",
                         .set = set_count<&StrategyOptions::pipeline, most_ranks>,
                         .verified_as = {"2", "3"}},
      StrategyOptionInfo{.key = "period",
                         .legal = "a number of steps from 1 to 1000000",
                         .set = set_count<&StrategyOptions::period, most_steps>,
                         .verified_as = {"1", "2", "5"}},
      StrategyOptionInfo{.key = "outer",
                         .legal = "average or nesterov",
                         .set = set_outer,
                         .verified_as = {"average", "nesterov"}},
      StrategyOptionInfo{.key = "outer-momentum",
                         .legal = "a number from 0 to below 1",
                         .set = set_outer_momentum,
                         .verified_as = {"0.5"}},
      StrategyOptionInfo{.key = "outer-rate",
                         .legal = "a positive number up to 10",
                         .set = set_outer_rate,
                         .verified_as = {"0.3", "1"}},
  };
  return table;
}

}  // namespace breakeven
