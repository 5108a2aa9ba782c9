// SPDX-License-Identifier: Apache-2.0
// Products as tests make them: which layout, precision, kernel and shape, their operands, and how far from
// float64 the result may be.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <ostream>

#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {

struct ProductCase {
  GemmLayout layout;
  Precision precision;
  GemmVariant variant;
  GemmShape shape;
};

inline std::ostream& operator<<(std::ostream& out, const ProductCase& of) {
  return out << info_of(of.precision).name << " " << name_of(of.variant.kernel) << " tile " << of.variant.tile
             << " split_k " << of.variant.split_k << " " << name_of(of.layout) << " m " << of.shape.m << " n "
             << of.shape.n << " k " << of.shape.k;
}

struct Operands {
  Table a;
  Table b;
};

inline Operands random_operands(GemmLayout layout, const GemmShape& s) {
  return {layout == GemmLayout::tn ? random_table(s.k, s.m, 1) : random_table(s.m, s.k, 1),
          layout == GemmLayout::nt ? random_table(s.n, s.k, 2) : random_table(s.k, s.n, 2)};
}

inline Operands rounded(const Operands& in, Dtype dtype) {
  return {rounded(in.a, dtype), rounded(in.b, dtype)};
}

// The product of operands as they are stored, computed once for each dtype.
class ReferenceProducts {
 public:
  const reference::Product& of(GemmLayout layout, const Operands& in, Dtype dtype) {
    const auto found = products_.find(dtype);
    if (found != products_.end()) return found->second;
    return products_.emplace(dtype, reference::gemm(layout, in.a, in.b)).first->second;
  }

 private:
  std::map<Dtype, reference::Product> products_;
};

// How far a product of two stored numbers may be from exact, relative: nothing but the sum's roundings where
// their product is exact or rounded once, else both operands rounded or cut off at the precision's width.
inline double operand_error(Precision precision) {
  const bool split = precision == Precision::tf32 || precision == Precision::tf32x3;
  return split ? 4 * info_of(precision).operand_roundoff : 0;
}

// For each element the error of the sum before anything becomes of it: its roundings (Higham, "Accuracy and
// Stability", (3.5); tensor cores cut off where others round) and the operands'.
inline std::vector<double> sum_bound(const ProductCase& of, const reference::Product& exact) {
  const double relative =
      2 * static_cast<double>(of.shape.k + 2) * fp32_roundoff + operand_error(of.precision);
  std::vector<double> bound = exact.magnitude.values;
  for (double& of_value : bound) of_value *= relative;
  return bound;
}

// The same with one rounding to a dtype. `bound` is of the values before it.
inline std::vector<double> stored_bound(std::vector<double> bound, const Table& exact, Dtype dtype) {
  for (std::size_t i = 0; i < bound.size(); ++i) {
    bound[i] += storing_error(std::abs(exact.values[i]) + bound[i], dtype);
  }
  return bound;
}

inline std::vector<double> product_bound(const ProductCase& of, const reference::Product& exact,
                                         Dtype c_dtype) {
  return stored_bound(sum_bound(of, exact), exact.c, c_dtype);
}

// A kernel that does not fuse an epilogue stores the sums in C's dtype, and passes of their own go on from
// there. These may; all others go on in fp32.
inline bool may_store_between(GemmKernel kernel) {
  return kernel == GemmKernel::naive || kernel == GemmKernel::tiled || kernel == GemmKernel::cublas ||
         kernel == GemmKernel::cublaslt;
}

// The relative error of C as a whole.
inline double frobenius_limit(const ProductCase& of, Dtype c_dtype) {
  if (c_dtype != Dtype::fp32) return 1e-2;
  return of.precision == Precision::tf32 ? 1e-3 : 1e-6 * std::sqrt(static_cast<double>(of.shape.k));
}

// The three matrices of a product in the device's memory; C begins as NaN.
struct ProductMatrices {
  ProductCase of;
  DeviceMatrix a, b, c;

  ProductMatrices(Device& device, Stream& stream, const ProductCase& product_case,
                  Padding padding = Padding::to_16_bytes)
      : ProductMatrices(device, stream, product_case,
                        random_operands(product_case.layout, product_case.shape), padding) {}
  ProductMatrices(Device& device, Stream& stream, const ProductCase& product_case, const Operands& in,
                  Padding padding)
      : of(product_case),
        a(device, stream, in.a, padding, info_of(of.precision).dtype),
        b(device, stream, in.b, padding, info_of(of.precision).dtype),
        c(device, stream, Table(of.shape.m, of.shape.n, std::numeric_limits<double>::quiet_NaN()), padding,
          of.layout == GemmLayout::tn ? Dtype::fp32 : info_of(of.precision).dtype) {}

  // Every kernel of the device with its choices left to it, and every variant that a tuner may try.
  static std::vector<GemmVariant> variants(Device& device, Stream& stream, const ProductCase& of) {
    const ProductMatrices matrices(device, stream, of);
    std::vector<GemmVariant> all = device.gemm_variants(matrices.product());
    EXPECT_FALSE(all.empty()) << of;
    for (const GemmKernel kernel : device.gemm_kernels(of.precision, of.layout)) all.push_back({kernel});
    return all;
  }

  Product product(const Epilogue& epilogue = StoreProduct{}) const {
    return {of.layout, of.precision, of.variant, a.view(), b.view(), c.view(), epilogue};
  }
};

}  // namespace breakeven
