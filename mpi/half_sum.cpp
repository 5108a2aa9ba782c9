// SPDX-License-Identifier: Apache-2.0
#include "mpi/half_sum.h"

#include "kernels/host/element.h"
#include "mpi/mpi_call.h"

namespace breakeven {
namespace {

template <typename T>
void add(void* in, void* in_and_out, int* count, MPI_Datatype* /*type*/) {
  const auto* const values = static_cast<const T*>(in);
  auto* const sums = static_cast<T*>(in_and_out);
  for (int i = 0; i < *count; ++i) sums[i] = from_float<T>(to_float(sums[i]) + to_float(values[i]));
}

MPI_Op make(MPI_User_function* function) {
  constexpr int commutes = 1;
  MPI_Op operation = MPI_OP_NULL;
  MPI_CALL(MPI_Op_create(function, commutes, &operation));
  return operation;
}

}  // namespace

MPI_Op half_sum(Element element) {
  static const MPI_Op of_bf16 = make(add<Bf16>);
  static const MPI_Op of_fp16 = make(add<Fp16>);
  return element == Element::bf16 ? of_bf16 : of_fp16;
}

}  // namespace breakeven
