// SPDX-License-Identifier: Apache-2.0
// The choice of a C++ type by element. What stands for bf16 and fp16 differs between the devices.
#pragma once

#include "src/core/precision.h"

namespace breakeven {

// The name of a type as a value: with_element(e, [&](auto tag) { using T = typename decltype(tag)::Type; }).
template <typename T>
struct ElementTag {
  using Type = T;
};

// Calls work(ElementTag<T>{}) with the type of `element`.
template <typename Bf16Type, typename Fp16Type, typename Work>
void with_element_among(Element element, const Work& work) {
  switch (element) {
    case Element::fp32:
      return work(ElementTag<float>{});
    case Element::bf16:
      return work(ElementTag<Bf16Type>{});
    case Element::fp16:
      return work(ElementTag<Fp16Type>{});
  }
}

}  // namespace breakeven
