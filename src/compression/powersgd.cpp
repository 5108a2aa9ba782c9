// SPDX-License-Identifier: Apache-2.0
// compress=powersgd: each weight's gradient M[rows,cols] as a product of two thin matrices (Vogels,
// Karimireddy and Jaggi, "PowerSGD: Practical Low-Rank Gradient Compression for Distributed Optimization",
// NeurIPS 2019, algorithms 1 and 2). Each step runs one subspace iteration that starts from the previous
// step's result. The thin matrices are stored transposed, so their rows are long: P'[rank,rows] = Q' M^T is
// summed over the ranks and orthonormalised, Q'[rank,cols] = P' M is summed, and M becomes P'^T Q'. Biases,
// and weights no larger than their thin matrices, are sent uncompressed in the message of P'.
#include <utility>
#include <vector>

#include "src/compression/compressed_sum.h"
#include "src/core/compression/message_layouts.h"

namespace breakeven::compression {
namespace {

class PowerSum final : public CompressedSum {
 public:
  PowerSum(Device& device, const GradientRange& range, Seat seat, double argument)
      : CompressedSum(device, range, seat),
        thin_(range, argument),
        p_(device, thin_.p_floats * sizeof(float), false, "low-rank factors P"),
        q_(device, thin_.q_floats * sizeof(float), false, "low-rank factors Q"),
        start_(device, thin_.q_floats * sizeof(float), false, "low-rank factors Q of the previous step"),
        approximation_(device, thin_.places.empty() ? 0 : range.floats * sizeof(float), false,
                       "low-rank gradient of this rank") {
    // The paper starts from independent normal numbers; any numbers not orthogonal to M will do. They are the
    // same on all ranks and independent of the initial weights, which have other seeds.
    constexpr std::uint64_t seed = 0x506F776572534744;
    const std::unique_ptr<Stream> stream = device.make_stream();
    for (std::size_t i = 0; i < thin_.places.size(); ++i) {
      const Matrix q = thin_.q_in(start_.as<float>(), thin_.places[i]);
      device.fill_uniform(seed, static_cast<std::uint32_t>(i), 1.0f, q, *stream);
    }
    stream->synchronize();
  }

  std::size_t rounds() const override { return thin_.places.empty() ? 1 : 2; }

 protected:
  ExchangePart encode(std::size_t round, float* gradient, Stream& stream) override {
    if (round == 0) {
      take_plain(gradient, stream);
      multiply(
          [&](const Place& place) {
            return product(GemmLayout::nt, q(start_, place), place.weight.in(gradient), p(place));
          },
          stream);
      return {ExchangePart::Kind::all_reduce, p_.as<void>(), thin_.p_floats};
    }
    device().orthonormalise_rows(all_p(), stream);
    multiply(
        [&](const Place& place) {
          return product(GemmLayout::nn, p(place), place.weight.in(gradient), q(q_, place));
        },
        stream);
    leave_error(gradient, stream);
    return {ExchangePart::Kind::all_reduce, q_.as<void>(), thin_.q_floats};
  }

  void find_not_finite(std::uint32_t* not_finite, Stream& stream) override {
    for (const auto& [buffer, floats] : {std::pair{&p_, thin_.p_floats}, std::pair{&q_, thin_.q_floats}}) {
      const auto count = static_cast<std::int64_t>(floats);
      if (count > 0) device().find_not_finite({buffer->as<void>(), 1, count, count}, not_finite, stream);
    }
  }

  // The warm start of the next step.
  void keep(const std::uint32_t* not_finite, Stream& stream) override {
    device().copy_unless(not_finite, thin_.q_floats, q_.as<float>(), start_.as<float>(), stream);
  }

  void decode(float* gradient, Stream& stream) override {
    multiply_out(gradient, stream);
    for (const auto& [first, floats, place] : thin_.plain) {
      device().copy(gradient + first, p_.as<float>() + place, floats * sizeof(float), stream);
    }
  }

 private:
  using Place = ThinMatrices::Place;

  Matrix p(const Place& place) const { return thin_.p_in(p_.as<float>(), place); }
  Matrix q(const Buffer& buffer, const Place& place) const { return thin_.q_in(buffer.as<float>(), place); }

  std::vector<Matrix> all_p() const {
    std::vector<Matrix> all;
    for (const Place& place : thin_.places) all.push_back(p(place));
    return all;
  }

  Product product(GemmLayout layout, ConstMatrix a, ConstMatrix b, Matrix c) const {
    const GemmKernel kernel = device().gemm_kernels(Precision::fp32).front();
    return {.layout = layout, .precision = Precision::fp32, .variant = {kernel}, .a = a, .b = b, .c = c};
  }

  // One product per weight, in one launch if the device can.
  template <typename ProductOf>
  void multiply(ProductOf product_of, Stream& stream) {
    std::vector<Product> products;
    for (const Place& place : thin_.places) products.push_back(product_of(place));
    if (!products.empty()) device().gemm(products, stream);
  }

  // P'^T Q' into the weights of `range`.
  void multiply_out(float* range, Stream& stream) {
    multiply(
        [&](const Place& place) {
          return product(GemmLayout::tn, p(place), q(q_, place), place.weight.in(range));
        },
        stream);
  }

  // gradient -= P'^T Q' with this rank's own Q' (algorithm 2).
  void leave_error(float* gradient, Stream& stream) {
    device().scale(thin_.q_floats, -1.0f, q_.as<float>(), stream);
    multiply_out(approximation_.as<float>(), stream);
    device().scale(thin_.q_floats, -1.0f, q_.as<float>(), stream);
    device().add(range().floats, approximation_.as<float>(), gradient, stream);
  }

  // Uncompressed values leave no residual.
  void take_plain(float* gradient, Stream& stream) {
    for (const auto& [first, floats, place] : thin_.plain) {
      device().copy(p_.as<float>() + place, gradient + first, floats * sizeof(float), stream);
      device().fill_zero(gradient + first, floats * sizeof(float), stream);
    }
  }

  ThinMatrices thin_;
  Buffer p_;
  Buffer q_;
  Buffer start_;
  Buffer approximation_;
};

}  // namespace

std::unique_ptr<GradientSum> make_powersgd_sum(Device& device, const GradientRange& range, Seat seat,
                                               double argument) {
  return std::make_unique<PowerSum>(device, range, seat, argument);
}

}  // namespace breakeven::compression
