// SPDX-License-Identifier: Apache-2.0
#include "src/compression/gradient_sum.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "src/core/failure.h"
#include "src/core/strategy/gradient_costs.h"

namespace breakeven::compression {

using MakeSum = std::unique_ptr<GradientSum>(Device&, const GradientRange&, Seat, double argument);

// Each is defined in the file of its compression.
MakeSum make_bf16_sum, make_fp16_sum, make_int8_sum, make_topk_sum, make_powersgd_sum, make_onebit_sum;

namespace {

// Without compression: one all-reduce in fp32.
class PlainSum final : public GradientSum {
 public:
  explicit PlainSum(std::size_t floats) : floats_(floats) {}
  std::size_t rounds() const override { return 1; }
  ExchangePart prepare(std::size_t, float* gradient, Stream&) override {
    return {ExchangePart::Kind::all_reduce, gradient, floats_};
  }
  void finish(float*, Stream&) override {}

 private:
  std::size_t floats_;
};

std::unique_ptr<GradientSum> make_plain_sum(Device&, const GradientRange& range, Seat, double) {
  return std::make_unique<PlainSum>(range.floats);
}

struct Maker {
  std::string_view compression;
  MakeSum* make;
};

constexpr std::array makers{Maker{"none", make_plain_sum},   Maker{"bf16", make_bf16_sum},
                            Maker{"fp16", make_fp16_sum},    Maker{"int8", make_int8_sum},
                            Maker{"topk", make_topk_sum},    Maker{"powersgd", make_powersgd_sum},
                            Maker{"onebit", make_onebit_sum}};

void exchange(const ExchangePart& part, Communicator& communicator, Stream& stream) {
  if (part.kind == ExchangePart::Kind::all_reduce) {
    communicator.all_reduce_sum(part.data, part.count, part.dtype, stream);
  } else {
    communicator.all_gather_words(part.data, part.count, stream);
  }
}

// Copies each rank's message to all other ranks' memory.
void gather_in_turn(std::span<const ExchangePart> parts, Device& device, Stream& stream) {
  for (std::size_t from = 0; from < parts.size(); ++from) {
    const std::size_t place = from * parts[from].count;
    const float* const message = static_cast<float*>(parts[from].data) + place;
    for (std::size_t to = 0; to < parts.size(); ++to) {
      if (to == from) continue;
      device.copy(static_cast<float*>(parts[to].data) + place, message, parts[from].count * sizeof(float),
                  stream);
    }
  }
}

void reduce_in_turn(std::span<const ExchangePart> parts, Device& device, Stream& stream) {
  const auto [kind, sum, count, dtype] = parts.front();
  const Buffer total(device, count * sizeof(float), false, "sum in turn");
  const Buffer added(device, count * sizeof(float), false, "summand in turn");
  for (const ExchangePart& part : parts.subspan(1)) {
    device.widen(count, sum, dtype, total.as<float>(), stream);
    device.widen(count, part.data, dtype, added.as<float>(), stream);
    device.add(count, added.as<float>(), total.as<float>(), stream);
    device.convert(count, total.as<float>(), sum, dtype, stream);
  }
  const std::size_t bytes = count * static_cast<std::size_t>(bytes_of(dtype));
  for (const ExchangePart& part : parts.subspan(1)) device.copy(part.data, sum, bytes, stream);
  stream.synchronize();  // before the buffers are freed
}

}  // namespace

std::unique_ptr<GradientSum> make_sum(const Compression& compression, Device& device,
                                      const GradientRange& range, Seat seat) {
  const auto maker = std::ranges::find(makers, compression.form->name, &Maker::compression);
  if (maker == makers.end())
    throw Failure(ExitCode::usage,
                  "there is no implementation of compress=" + std::string(compression.form->name));
  return maker->make(device, range, seat, compression.argument);
}

void GradientSum::end(float* gradient, Communicator& communicator, Stream& stream) {
  exchange(first_, communicator, stream);
  for (std::size_t round = 1; round < rounds(); ++round) {
    exchange(prepare(round, gradient, stream), communicator, stream);
  }
  finish(gradient, stream);
}

std::vector<BucketSum> make_bucket_sums(Device& device, const ParameterLayout& layout,
                                        const StrategyOptions& options, Seat seat) {
  std::vector<BucketSum> sums;
  for (const Bucket& bucket : buckets_of(layout, options)) {
    const GradientRange range = range_of_layers(layout, bucket.first_layer, bucket.layers);
    sums.push_back({bucket, make_sum(options.compression, device, range, seat)});
  }
  return sums;
}

void sum_in_turn(std::span<GradientSum* const> of_ranks, std::span<float* const> gradients, Device& device,
                 Stream& stream) {
  for (std::size_t round = 0; round < of_ranks.front()->rounds(); ++round) {
    std::vector<ExchangePart> parts;
    for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
      parts.push_back(of_ranks[rank]->prepare(round, gradients[rank], stream));
    }
    if (parts.front().kind == ExchangePart::Kind::all_reduce) {
      reduce_in_turn(parts, device, stream);
    } else {
      gather_in_turn(parts, device, stream);
    }
  }
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
    of_ranks[rank]->finish(gradients[rank], stream);
  }
}

}  // namespace breakeven::compression
