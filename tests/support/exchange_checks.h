// SPDX-License-Identifier: Apache-2.0
// What every communicator must do, with integers in floats: each sum is exact in any order, so results are
// compared for equality.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi/communicator.h"

namespace breakeven {

// A vector of floats on a device.
class DeviceFloats {
 public:
  DeviceFloats(Device& device, Stream& stream, const std::vector<float>& values)
      : device_(device), stream_(stream), size_(values.size()) {
    if (size_ == 0) return;
    buffer_ = Buffer(device, size_ * sizeof(float), false, "test values");
    device.copy(data(), values.data(), buffer_.bytes(), stream);
    stream.synchronize();
  }

  float* data() const { return buffer_.as<float>(); }

  std::vector<float> read() const {
    std::vector<float> values(size_);
    if (size_ != 0) device_.copy(values.data(), data(), buffer_.bytes(), stream_);
    stream_.synchronize();
    return values;
  }

 private:
  Device& device_;
  Stream& stream_;
  std::size_t size_;
  Buffer buffer_;
};

inline float exchange_value(int rank, std::size_t i) {
  return static_cast<float>((i * 7 + static_cast<std::size_t>(rank) * 1013) % 4099);
}

inline std::vector<float> exchange_values(int rank, std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = exchange_value(rank, i);
  return values;
}

inline std::vector<float> exchange_sums(int ranks, std::size_t count) {
  std::vector<float> sums(count, 0.0f);
  for (int rank = 0; rank < ranks; ++rank) {
    for (std::size_t i = 0; i < count; ++i) sums[i] += exchange_value(rank, i);
  }
  return sums;
}

class ExchangeCheck {
 public:
  ExchangeCheck(Communicator& communicator, Device& device)
      : communicator_(communicator), device_(device), stream_(device.make_stream()) {}

  void all(std::size_t count) {
    SCOPED_TRACE(testing::Message() << communicator_.size() << " ranks, " << count << " floats");
    all_reduce(count);
    for (const Dtype dtype : {Dtype::bf16, Dtype::fp16}) all_reduce_halves(count, dtype);
    for (int root = 0; root < communicator_.size(); ++root) {
      reduce(count, root);
      broadcast(count, root);
    }
    reduce_scatter(count);
    all_gather(count);
    all_gather_words(count);
    for (int from = 0; from < communicator_.size(); ++from) {
      for (int to = 0; to < communicator_.size(); ++to) {
        if (from != to) send_and_receive(count, from, to);
      }
    }
    communicator_.check();
  }

  void all_reduce(std::size_t count) {
    const DeviceFloats floats = mine(count);
    communicator_.all_reduce_sum(floats.data(), count, *stream_);
    EXPECT_EQ(floats.read(), exchange_sums(communicator_.size(), count));
  }

  // Small integers: exact in 16 bits, and so are their sums.
  void all_reduce_halves(std::size_t count, Dtype dtype) {
    const auto value = [](int rank, std::size_t i) {
      return static_cast<float>((i + static_cast<std::size_t>(rank)) % 31);
    };
    std::vector<float> values(count);
    std::vector<float> sums(count, 0.0f);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = value(communicator_.rank(), i);
      for (int rank = 0; rank < communicator_.size(); ++rank) sums[i] += value(rank, i);
    }
    const DeviceFloats floats(device_, *stream_, values);
    const DeviceFloats halves(device_, *stream_, std::vector<float>((count + 1) / 2));
    device_.convert(count, floats.data(), halves.data(), dtype, *stream_);
    communicator_.all_reduce_sum(halves.data(), count, dtype, *stream_);
    device_.widen(count, halves.data(), dtype, floats.data(), *stream_);
    EXPECT_EQ(floats.read(), sums);
  }

  void reduce(std::size_t count, int root) {
    const DeviceFloats floats = mine(count);
    communicator_.reduce_sum(floats.data(), count, root, *stream_);
    const std::vector<float> values = floats.read();
    if (communicator_.rank() == root) {
      EXPECT_EQ(values, exchange_sums(communicator_.size(), count));
    }
  }

  void broadcast(std::size_t count, int root) {
    const DeviceFloats floats = mine(count);
    communicator_.broadcast(floats.data(), count, root, *stream_);
    EXPECT_EQ(floats.read(), exchange_values(root, count));
  }

  void reduce_scatter(std::size_t share) {
    const std::size_t count = share * static_cast<std::size_t>(communicator_.size());
    const DeviceFloats floats = mine(count);
    communicator_.reduce_scatter_sum(floats.data(), share, *stream_);
    EXPECT_EQ(part(floats.read(), communicator_.rank(), share),
              part(exchange_sums(communicator_.size(), count), communicator_.rank(), share));
  }

  void all_gather(std::size_t share) {
    const std::size_t count = share * static_cast<std::size_t>(communicator_.size());
    const DeviceFloats floats = mine(count);
    communicator_.all_gather(floats.data(), share, *stream_);
    const std::vector<float> gathered = floats.read();
    for (int rank = 0; rank < communicator_.size(); ++rank) {
      EXPECT_EQ(part(gathered, rank, share), part(exchange_values(rank, count), rank, share))
          << "of rank " << rank;
    }
  }

  // Bits of -0, of no number, of a denormal number, and others.
  void all_gather_words(std::size_t share) {
    constexpr std::array<std::uint32_t, 5> words{0x80000000u, 0xffffffffu, 0x7f800001u, 1u, 0x00008000u};
    const auto word = [&](std::size_t place) { return words[place % words.size()]; };
    const std::size_t count = share * static_cast<std::size_t>(communicator_.size());
    const std::size_t first = share * static_cast<std::size_t>(communicator_.rank());
    std::vector<float> values(count, 0.0f);
    for (std::size_t i = first; i < first + share; ++i) values[i] = std::bit_cast<float>(word(i));
    const DeviceFloats floats(device_, *stream_, values);
    communicator_.all_gather_words(floats.data(), share, *stream_);
    const std::vector<float> gathered = floats.read();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) wrong += std::bit_cast<std::uint32_t>(gathered[i]) != word(i);
    EXPECT_EQ(wrong, 0u);
  }

  void send_and_receive(std::size_t count, int from, int to) {
    const DeviceFloats floats = mine(count);
    if (communicator_.rank() == from) {
      communicator_.send(floats.data(), count, to, *stream_);
      EXPECT_EQ(floats.read(), exchange_values(from, count));
    } else if (communicator_.rank() == to) {
      communicator_.receive(floats.data(), count, from, *stream_);
      EXPECT_EQ(floats.read(), exchange_values(from, count));
    }
  }

  // Captured once and replayed three times, which multiplies the sums by the number of ranks twice.
  void replayed_all_reduce(std::size_t count) {
    const DeviceFloats floats = mine(count);
    const auto graph = device_.capture(
        [&](std::span<Event* const>) { communicator_.all_reduce_sum(floats.data(), count, *stream_); }, {},
        *stream_);
    EXPECT_EQ(floats.read(), exchange_values(communicator_.rank(), count)) << "capturing must not execute";
    for (int i = 0; i < 3; ++i) graph->launch({}, *stream_);
    std::vector<float> expected = exchange_sums(communicator_.size(), count);
    for (float& value : expected) value *= static_cast<float>(communicator_.size() * communicator_.size());
    EXPECT_EQ(floats.read(), expected);
  }

  // From rank 0 to rank 1, which changes what it has in between.
  void replayed_send(std::size_t count) {
    const DeviceFloats floats = mine(count);
    const auto graph = device_.capture(
        [&](std::span<Event* const>) {
          if (communicator_.rank() == 0) communicator_.send(floats.data(), count, 1, *stream_);
          if (communicator_.rank() == 1) communicator_.receive(floats.data(), count, 0, *stream_);
        },
        {}, *stream_);
    for (int i = 0; i < 2; ++i) {
      if (communicator_.rank() == 1) device_.fill_zero(floats.data(), count * sizeof(float), *stream_);
      graph->launch({}, *stream_);
      if (communicator_.rank() < 2) {
        EXPECT_EQ(floats.read(), exchange_values(0, count));
      }
    }
  }

 private:
  DeviceFloats mine(std::size_t count) {
    return DeviceFloats(device_, *stream_, exchange_values(communicator_.rank(), count));
  }

  static std::vector<float> part(const std::vector<float>& values, int rank, std::size_t share) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(rank) * share);
    return {begin, begin + static_cast<std::ptrdiff_t>(share)};
  }

  Communicator& communicator_;
  Device& device_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace breakeven
