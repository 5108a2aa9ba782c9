// SPDX-License-Identifier: Apache-2.0
#include "kernels/product.h"

#include <string>

#include "src/core/failure.h"

namespace breakeven {
namespace {

std::string size_of(const ConstMatrix& matrix) {
  return std::to_string(matrix.rows) + " x " + std::to_string(matrix.cols);
}

bool shapes_fit(const Product& p) {
  switch (p.layout) {
    case GemmLayout::nt:
      return p.a.rows == p.c.rows && p.b.rows == p.c.cols && p.a.cols == p.b.cols;
    case GemmLayout::nn:
      return p.a.rows == p.c.rows && p.b.cols == p.c.cols && p.a.cols == p.b.rows;
    case GemmLayout::tn:
      return p.a.cols == p.c.rows && p.b.cols == p.c.cols && p.a.rows == p.b.rows;
  }
  return false;
}

bool plain(const Epilogue& epilogue) {
  return std::holds_alternative<StoreProduct>(epilogue) || std::holds_alternative<AddBias>(epilogue);
}

bool dtypes_fit(const Product& p) {
  const Dtype dtype = info_of(p.precision).dtype;
  const bool wide = p.c.dtype == Dtype::fp32 && (p.layout == GemmLayout::tn || plain(p.epilogue));
  const bool narrow = p.c.dtype == dtype && p.layout != GemmLayout::tn;
  return p.a.dtype == dtype && p.b.dtype == dtype && (wide || narrow);
}

bool same_size(const ConstMatrix& a, const ConstMatrix& b) { return a.rows == b.rows && a.cols == b.cols; }

// Checks layout and shapes for the epilogue.
struct EpilogueFits {
  const Product& p;
  bool operator()(const StoreProduct&) const { return true; }
  bool operator()(const AddBias&) const { return p.layout == GemmLayout::nt; }
  bool operator()(const BiasReluDropout& e) const {
    return p.layout == GemmLayout::nt && e.dropout.first_unit % 4 == 0;
  }
  bool operator()(const SquaredErrorLoss& e) const {
    return p.layout == GemmLayout::nt && same_size(e.target, p.c) && e.target.dtype == Dtype::fp32 &&
           !e.losses.empty();
  }
  bool operator()(const ReluDropoutBackward& e) const {
    return p.layout == GemmLayout::nn && same_size(e.h, p.c) && e.h.dtype == p.c.dtype;
  }
  bool operator()(const WeightGradient&) const { return p.layout == GemmLayout::tn; }
  bool operator()(const AdamUpdate& e) const {
    return p.layout == GemmLayout::tn &&
           (e.working_weight != nullptr) == (info_of(p.precision).dtype != Dtype::fp32);
  }
};

}  // namespace

void check_product(const Product& p) {
  if (shapes_fit(p) && dtypes_fit(p) && std::visit(EpilogueFits{p}, p.epilogue)) return;
  const std::string call =
      "gemm " + std::string(name_of(p.layout)) + " " + std::string(info_of(p.precision).name);
  throw misused_call(call, __FILE__, __LINE__, "invalid product",
                     "A " + size_of(p.a) + ", B " + size_of(p.b) + ", C " + size_of(p.c) + ", epilogue " +
                         std::to_string(p.epilogue.index()));
}

}  // namespace breakeven
