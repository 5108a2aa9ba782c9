// SPDX-License-Identifier: Apache-2.0
// Quads as 32-bit words that tell by themselves whether they have arrived: a word that nobody has written yet
// holds a value that no sender writes. So neither flags nor fences are needed (the idea of NCCL's protocol
// LL, without its flag words). Empty is -0, which senders turn into +0.
#pragma once

#include <cstdint>

#include "kernels/cuda/quad.cuh"
#include "mpi/peer/meeting.cuh"

namespace breakeven::peer {

constexpr std::uint32_t empty_word = 0x80000000u;

// A quad of T: four words of fp32, or two words of two 16-bit values each.
template <typename T>
struct alignas(4 * sizeof(T)) Words {
  std::uint32_t word[sizeof(T)];
};

__device__ inline std::uint32_t bits_of(float value) {
  const std::uint32_t bits = __float_as_uint(value);
  return bits == empty_word ? 0 : bits;
}
__device__ inline std::uint32_t without_minus_zero(std::uint32_t half) { return half == 0x8000u ? 0 : half; }
__device__ inline std::uint32_t bits_of(__nv_bfloat16 value) {
  return without_minus_zero(__bfloat16_as_ushort(value));
}
__device__ inline std::uint32_t bits_of(__half value) { return without_minus_zero(__half_as_ushort(value)); }

__device__ inline void from_bits(std::uint32_t bits, float& value) { value = __uint_as_float(bits); }
__device__ inline void from_bits(std::uint32_t bits, __nv_bfloat16& value) {
  value = __ushort_as_bfloat16(static_cast<unsigned short>(bits));
}
__device__ inline void from_bits(std::uint32_t bits, __half& value) {
  value = __ushort_as_half(static_cast<unsigned short>(bits));
}

template <typename T>
__device__ Words<T> packed(const Quad& quad) {
  constexpr int values_a_word = 4 / sizeof(T);
  Words<T> words{};
#pragma unroll
  for (int i = 0; i < 4; ++i)
    words.word[i / values_a_word] |= bits_of(from_float<T>(quad.unit[i])) << (i % values_a_word * 16);
  return words;
}

template <typename T>
__device__ Quad unpacked(const Words<T>& words) {
  constexpr int values_a_word = 4 / sizeof(T);
  Quad quad;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    T value;
    from_bits(words.word[i / values_a_word] >> (i % values_a_word * 16), value);
    quad.unit[i] = to_float(value);
  }
  return quad;
}

__device__ inline Words<float> load_now(const Words<float>* from) {
  Words<float> w;
  asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(w.word[0]), "=r"(w.word[1]), "=r"(w.word[2]), "=r"(w.word[3])
               : "l"(from)
               : "memory");
  return w;
}
__device__ inline void store_now(Words<float>* to, const Words<float>& w) {
  asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(w.word[0]), "r"(w.word[1]),
               "r"(w.word[2]), "r"(w.word[3])
               : "memory");
}
template <typename T>  // 16 bits
__device__ Words<T> load_now(const Words<T>* from) {
  Words<T> w;
  asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];"
               : "=r"(w.word[0]), "=r"(w.word[1])
               : "l"(from)
               : "memory");
  return w;
}
template <typename T>
__device__ void store_now(Words<T>* to, const Words<T>& w) {
  asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(w.word[0]), "r"(w.word[1])
               : "memory");
}

template <typename T>
__device__ bool is_complete(const Words<T>& words) {
  bool complete = true;
#pragma unroll
  for (const std::uint32_t word : words.word) complete = complete && word != empty_word;
  return complete;
}

template <typename T>
__device__ Words<T> nothing() {
  Words<T> words;
#pragma unroll
  for (std::uint32_t& word : words.word) word = empty_word;
  return words;
}

// `words`, which were loaded from `place`, as soon as they are complete; as they are if `rank` does not
// answer.
template <typename T>
__device__ Words<T> when_complete(Words<T> words, const Words<T>* place, int rank, const Group& group) {
  if (is_complete(words)) return words;
  constexpr unsigned tries_a_look_at_the_clock = 256;
  const unsigned long long began = nanoseconds();
  for (unsigned tries = 1; !is_complete(words); ++tries) {
    if (tries % tries_a_look_at_the_clock == 0 && gives_up(began, rank, group)) break;
    words = load_now(place);
  }
  return words;
}

}  // namespace breakeven::peer
