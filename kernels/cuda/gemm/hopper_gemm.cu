// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/hopper_gemm.h"

#include <type_traits>

#include "kernels/cuda/gemm/async_gemm.h"
#include "kernels/cuda/gemm/costs.h"
#include "kernels/cuda/gemm/gemm_code.h"
#include "kernels/cuda/gemm/hopper_map.h"
#include "kernels/cuda/gemm/make_problem.h"
#include "kernels/cuda/gemm/problem.cuh"
#include "kernels/cuda/gemm/transpose.h"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

// The blocks that run at one time in clusters of this size: multiprocessors come in groups (GPCs) of 14 to
// 18, and a cluster lies in one group.
int blocks_at_once(int cluster, int multiprocessors) {
  return cluster <= 2 ? multiprocessors : multiprocessors / 11 * 10;
}

// Below 0 is a tile or split-k that is not chosen yet.
bool has(const GemmVariant& variant) {
  if (variant.tile >= static_cast<int>(hopper_tiles.size())) return false;
  if (variant.tile < 0) return is_split_k(variant.split_k, max_split_k);
  const HopperTile& tile = hopper_tiles[static_cast<std::size_t>(variant.tile)];
  return is_split_k(variant.split_k, tile.most_split_k) &&
         (variant.split_k < 0 || variant.split_k >= tile.least_split_k);
}

// Whether a kernel exists for this tile and split-k, and no part is empty.
bool offers(const Product& product, const HopperChoice& choice) {
  return choice.tile >= 0 && choice.split_k > 0 && has({GemmKernel::hopper, choice.tile, choice.split_k}) &&
         split_k_fits(product.precision, shape_of(product).k, choice.split_k);
}

// Calls work(precision), as a constant; false if these kernels do not compute in it.
template <typename Work>
bool with_precision(Precision precision, const Work& work) {
  switch (precision) {
    case Precision::tf32:
      return work(std::integral_constant<Precision, Precision::tf32>{}), true;
    case Precision::bf16:
      return work(std::integral_constant<Precision, Precision::bf16>{}), true;
    case Precision::fp16:
      return work(std::integral_constant<Precision, Precision::fp16>{}), true;
    default:
      return false;
  }
}

template <Precision precision>
void launch(GemmLayout layout, const HopperChoice& choice, const GemmProblem& problem, CudaStream& stream) {
  switch (layout) {
    case GemmLayout::nt:
      return launch_hopper_tile<precision, GemmLayout::nt>(choice, problem, stream);
    case GemmLayout::nn:
      return launch_hopper_tile<precision, GemmLayout::nn>(choice, problem, stream);
    case GemmLayout::tn:
      return launch_hopper_tile<precision, GemmLayout::tn>(choice, problem, stream);
  }
}

bool computes(Precision precision, GemmLayout /*layout*/, const DeviceInfo& gpu) {
  return gpu.compute_capability == 90 && with_precision(precision, [](auto) {});
}

// Whether B is read from a transposed copy (hopper_tile.cuh, Form).
bool copies_b(const Product& product) {
  return product.precision == Precision::tf32 && product.layout == GemmLayout::tn;
}

// B's transposed copy, or the part of it that the scratch memory holds: whole tiles of columns of B.
Matrix copy_of_b(const ConstMatrix& b, float* scratch) {
  constexpr std::int64_t most_values = CudaStream::transposed_bytes / sizeof(float), most_tile_n = 256;
  const std::int64_t ld = ceil_div(b.rows, std::int64_t{4}) * 4;
  const std::int64_t cols = most_values / ld / most_tile_n * most_tile_n;
  return {scratch, std::min(b.cols, cols), b.rows, ld, Dtype::fp32};
}

// Rows aligned to 16 bytes.
bool fits(const Product& product, const DeviceInfo& gpu) {
  const bool b_fits = copies_b(product) ? copy_of_b(product.b, nullptr).rows > 0 : hopper::can_map(product.b);
  return computes(product.precision, product.layout, gpu) && hopper::can_map(product.a) && b_fits &&
         product.c.rows > 0 && product.c.cols > 0;
}

// The product of some columns of B, in a copy, and of C.
GemmProblem part_of(const GemmProblem& whole, std::int64_t first_col, const Matrix& copy) {
  GemmProblem part = whole;
  part.b = copy.data;
  part.ldb = copy.ld;
  part.n = static_cast<int>(copy.rows);
  part.sums_rows = first_col == 0;
  part.c = static_cast<float*>(whole.c) + first_col;
  AdamArrays& weight = part.epilogue.weight;
  for (float** array : {&weight.parameter, &weight.first_moment, &weight.second_moment})
    if (*array != nullptr) *array += first_col;
  return part;
}

void compute_with_copy(const Product& product, const HopperChoice& choice, CudaStream& stream) {
  const GemmProblem whole = make_problem(product, stream);
  Matrix copy = copy_of_b(product.b, stream.transposed_scratch());
  const std::int64_t cols_at_once = copy.rows;
  for (std::int64_t col = 0; col < product.b.cols; col += cols_at_once) {
    copy.rows = std::min(cols_at_once, product.b.cols - col);
    transpose({product.b.floats() + col, product.b.rows, copy.rows, product.b.ld, Dtype::fp32}, copy, stream);
    launch_hopper_tile<Precision::tf32, GemmLayout::tn>(choice, part_of(whole, col, copy), stream);
  }
}

void compute(const GemmCall& call) {
  const HopperChoice choice{call.tile, call.split_k};
  if (copies_b(call.product)) return compute_with_copy(call.product, choice, call.stream);
  const GemmProblem problem = make_problem(call.product, call.stream);
  with_precision(call.product.precision, [&](auto precision) {
    launch<precision()>(call.product.layout, choice, problem, call.stream);
  });
}

// Whether the update kernels compute it (hopper_update.cuh): all tiles of one width are the same kernel.
bool is_update(const Product& p, int tile) {
  return std::holds_alternative<AdamUpdate>(p.epilogue) && p.precision != Precision::tf32 &&
         hopper_tiles[static_cast<std::size_t>(tile)].m * hopper_tiles[static_cast<std::size_t>(tile)].n >=
             128 * 128;
}

// The blocks of neighbouring tiles that share what they fetch.
int sharing(int tile, int split_k) {
  constexpr std::array alone{1, 2, 2, 2, 2, 1}, split{1, 1, 2, 1, 1, 1};
  return (split_k > 1 ? split : alone)[static_cast<std::size_t>(tile)];
}

// All tiles of C, of which so many columns are computed at once; those that share what they fetch are filled
// up.
std::int64_t tiles_of(const Product& p, const HopperChoice& choice, std::int64_t cols) {
  const HopperTile& tile = hopper_tiles[static_cast<std::size_t>(choice.tile)];
  const std::int64_t together = sharing(choice.tile, choice.split_k);
  const bool transposed = p.precision == Precision::tf32 && p.layout == GemmLayout::nn;
  const std::int64_t m = shape_of(p).m;
  return ceil_div(transposed ? cols : m, tile.m * together) * together *
         ceil_div(transposed ? m : cols, std::int64_t{tile.n});
}

double expected(const Product& p, const GemmVariant& variant, const DeviceInfo& gpu) {
  const GemmShape shape = shape_of(p);
  const bool wide = p.precision == Precision::tf32, updates = is_update(p, variant.tile);
  const int split_k = updates ? 1 : variant.split_k, together = sharing(variant.tile, split_k);
  const GemmCost& cost = updates ? gemm_costs::hopper_update
                         : wide  ? gemm_costs::hopper_tf32
                                 : gemm_costs::hopper_16_bit;
  std::int64_t cols = shape.n, launches = 1;
  double copy_us = 0;
  if (copies_b(p)) {
    const std::int64_t cols_at_once = copy_of_b(p.b, nullptr).rows;
    launches = ceil_div(cols, cols_at_once);
    copy_us = 1.5 * static_cast<double>(launches) +
              1e-6 * 8 * static_cast<double>(cols * shape.k) / cost.copy_bandwidth;
    cols = cols_at_once;
  }
  const std::int64_t tiles = tiles_of(p, {variant.tile, split_k}, cols);
  const int at_once = blocks_at_once(together * split_k, gpu.multiprocessors);
  constexpr std::int64_t step_bytes = 128;
  const std::int64_t step = step_bytes / bytes_of(info_of(p.precision).dtype);
  const GemmWork work{variant.tile, split_k > 1,
                      static_cast<double>(ceil_div(ceil_div(shape.k, std::int64_t{split_k}), step)),
                      rounds_of(tiles * split_k, at_once, 1)};
  const double us =
      updates ? expected_update_us(cost, work, bytes_of(p)) : expected_us(cost, use_of(p), work, 0);
  const double memory_us =
      updates ? 0 : 1e-6 * bytes_of(p) / cost.bandwidth[static_cast<std::size_t>(use_of(p))];
  return static_cast<double>(launches) * us + memory_us + copy_us;
}

void add_variants(const Product& p, const DeviceInfo& /*gpu*/, std::vector<GemmVariant>& variants) {
  for (int tile = 0; tile < static_cast<int>(hopper_tiles.size()); ++tile) {
    for (int split_k = hopper_tiles[static_cast<std::size_t>(tile)].least_split_k; offers(p, {tile, split_k});
         split_k *= 2) {
      const bool is_persistent = split_k == 1;  // so its blocks are few
      if (is_persistent || has_room_for_sums(p, tiles_of(p, {tile, split_k}, shape_of(p).n) * split_k))
        variants.push_back({GemmKernel::hopper, tile, split_k});
    }
  }
}

constexpr GemmChoices choices{
    .fits = fits, .has = has, .add_variants = add_variants, .expected_us = expected};

}  // namespace

const GemmCode gemm_codes::hopper{
    .computes = computes, .compute = compute, .fuses = fuses_all, .choices = &choices};

}  // namespace breakeven
