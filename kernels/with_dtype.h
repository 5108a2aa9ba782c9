// SPDX-License-Identifier: Apache-2.0
// Selects a C++ type by dtype. The devices have different types for bf16 and fp16.
#pragma once

#include "src/core/precision.h"

namespace breakeven {

// The name of a type as a value: with_dtype(e, [&](auto tag) { using T = typename decltype(tag)::Type; }).
template <typename T>
struct DtypeTag {
  using Type = T;
};

// Calls work(DtypeTag<T>{}) with the type of `dtype`.
template <typename Bf16Type, typename Fp16Type, typename Work>
void with_dtype_among(Dtype dtype, const Work& work) {
  switch (dtype) {
    case Dtype::fp32:
      return work(DtypeTag<float>{});
    case Dtype::bf16:
      return work(DtypeTag<Bf16Type>{});
    case Dtype::fp16:
      return work(DtypeTag<Fp16Type>{});
  }
}

}  // namespace breakeven
