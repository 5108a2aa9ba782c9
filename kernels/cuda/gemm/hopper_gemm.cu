// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/hopper_gemm.h"

#include "kernels/cuda/gemm/async_gemm.h"
#include "kernels/cuda/gemm/gemm_code.h"
#include "kernels/cuda/gemm/hopper_map.h"
#include "kernels/cuda/gemm/make_problem.h"
#include "kernels/cuda/gemm/problem.cuh"
#include "kernels/cuda/gemm/transpose.h"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

// As in hopper_tiles.
constexpr int narrow = 0, flat_ping_pong = 1, square = 2, square_ping_pong = 3, large = 4;

std::int64_t tiles_of(int tile, const GemmShape& shape) {
  const HopperTile& of = hopper_tiles[static_cast<std::size_t>(tile)];
  return ceil_div(shape.m, of.m) * ceil_div(shape.n, of.n);
}

// The blocks that run at one time in clusters of this size: multiprocessors come in groups (GPCs) of 14 to
// 18, and a cluster lies in one group.
std::int64_t blocks_at_once(int cluster, int multiprocessors) {
  return cluster <= 2 ? multiprocessors : multiprocessors / 11 * 10;
}

// Whether a kernel exists for this tile and split-k, and no part is empty.
bool offers(const Product& product, const HopperChoice& choice) {
  if (choice.tile < 0 || choice.tile >= static_cast<int>(hopper_tiles.size())) return false;
  const int split_k = choice.split_k;
  const bool power_of_two = split_k > 0 && (split_k & (split_k - 1)) == 0;
  return power_of_two && split_k <= hopper_tiles[static_cast<std::size_t>(choice.tile)].max_split_k &&
         split_k_fits(product.precision, shape_of(product).k, split_k);
}

// Narrow tiles, and split-k while multiprocessors are idle and each part has steps to do.
HopperChoice choose_narrow(const Product& product, int multiprocessors) {
  const GemmShape shape = shape_of(product);
  constexpr std::int64_t least_depth = 256;
  HopperChoice choice{narrow, 1};
  while (offers(product, {narrow, 2 * choice.split_k}) &&
         tiles_of(narrow, shape) * 2 * choice.split_k <=
             blocks_at_once(2 * choice.split_k, multiprocessors) &&
         shape.k >= least_depth * 2 * choice.split_k) {
    choice.split_k *= 2;
  }
  return choice;
}

// Separate update warps pay if memory traffic takes much longer than the products, or much less. In between,
// a block does both in turn.
int choose_update_tile(const GemmShape& shape, int multiprocessors) {
  constexpr std::int64_t short_k = 512, long_k = 3072;
  if (shape.k <= short_k && tiles_of(square, shape) >= multiprocessors) return square;
  return shape.k >= long_k && tiles_of(large, shape) >= multiprocessors ? large : flat_ping_pong;
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
  return gpu.compute_capability == 90 &&
         (precision == Precision::tf32 || info_of(precision).dtype != Dtype::fp32);
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

// The product is large enough for most multiprocessors.
bool pays(const Product& product, const DeviceInfo& gpu) {
  if (!fits(product, gpu)) return false;
  const int multiprocessors = gpu.multiprocessors;
  const GemmShape shape = shape_of(product);
  if (shape.k < 256) return false;
  // Small weight gradients share one launch of tensor-core.
  if (product.layout == GemmLayout::tn) return 2 * tiles_of(narrow, shape) > multiprocessors;
  return 5 * tiles_of(narrow, shape) * choose_narrow(product, multiprocessors).split_k > 2 * multiprocessors;
}

// By rule: large tiles read A and B less often, small tiles and split-k leave fewer multiprocessors idle. An
// update uses the tiles of hopper_update.cuh if there are enough of them.
HopperChoice choose_hopper(const Product& product, int multiprocessors) {
  const GemmShape shape = shape_of(product);
  if (std::holds_alternative<AdamUpdate>(product.epilogue)) {
    return {choose_update_tile(shape, multiprocessors), 1};
  }
  const std::int64_t tiles = tiles_of(square, shape);
  if (tiles > multiprocessors) return {square_ping_pong, 1};
  if (2 * tiles > multiprocessors) return {square, 1};
  return choose_narrow(product, multiprocessors);
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
  switch (call.product.precision) {
    case Precision::bf16:
      return launch<Precision::bf16>(call.product.layout, choice, problem, call.stream);
    case Precision::fp16:
      return launch<Precision::fp16>(call.product.layout, choice, problem, call.stream);
    default:
      return launch<Precision::tf32>(call.product.layout, choice, problem, call.stream);
  }
}

void settle(const Product& p, const DeviceInfo& gpu, GemmVariant& variant) {
  const HopperChoice rule = choose_hopper(p, gpu.multiprocessors);
  if (variant.tile < 0) variant.tile = rule.tile;
  if (variant.split_k < 0) variant.split_k = variant.tile == rule.tile ? rule.split_k : 1;
  if (!offers(p, {variant.tile, variant.split_k})) variant.split_k = 1;
}

void add_variants(const Product& p, const DeviceInfo& /*gpu*/, std::vector<GemmVariant>& variants) {
  for (int tile = 0; tile < static_cast<int>(hopper_tiles.size()); ++tile) {
    for (int split_k = 1; offers(p, {tile, split_k}); split_k *= 2) {
      variants.push_back({GemmKernel::hopper, tile, split_k});
    }
  }
}

bool has(const GemmVariant& variant) {
  if (variant.tile >= static_cast<int>(hopper_tiles.size())) return false;
  const int most =
      variant.tile < 0 ? max_split_k : hopper_tiles[static_cast<std::size_t>(variant.tile)].max_split_k;
  return is_split_k(variant.split_k, most);
}

constexpr GemmChoices choices{
    .fits = fits, .pays = pays, .has = has, .settle = settle, .add_variants = add_variants};

}  // namespace

const GemmCode gemm_codes::hopper{
    .computes = computes, .compute = compute, .fuses = fuses_all, .choices = &choices};

}  // namespace breakeven
