// SPDX-License-Identifier: Apache-2.0
// What `--strategies auto` chooses among: the lists behind the words of --candidates, without configurations
// that occur under two names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/core/case.h"

namespace breakeven::autotune {

// Strategies that compute what one GPU computes and may be the fastest somewhere, or need the least memory.
inline constexpr std::string_view exact_candidates[] = {
    "single", "ddp",    "ddp:buckets=16MB", "zero1",           "zero1:buckets=16MB", "zero2",
    "fsdp",   "tensor", "pipeline",         "hybrid:tensor=2", "hybrid:pipeline=2"};

// Strategies that compute other updates. A shorter step does not always train faster.
inline constexpr std::string_view lossy_candidates[] = {"ddp:compress=bf16", "ddp:compress=int8", "stale",
                                                        "local-sgd"};

// The strategies that --candidates names, each once. "exact" and "lossy" stand for these lists, any other
// word for itself.
std::vector<std::string> candidates_named(const std::vector<std::string>& words);

// The first of all candidates whose ranks compute the same parts and send the same messages. The same
// configuration may have two names: buckets larger than the model, or a mesh with one group.
std::vector<Case> distinct_configurations(const std::vector<Case>& candidates);

}  // namespace breakeven::autotune
