// SPDX-License-Identifier: Apache-2.0
// Loaded before OpenBLAS by tests/cli/test_differing_repeats.py: a library whose every product is a little
// larger than the one before, as of a device that computes otherwise each time.
//   DRIFT_RANK  only on this rank
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef void (*Gemm)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*,
                     int);

void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float* a,
                 int lda, const float* b, int ldb, float beta, float* c, int ldc) {
  static Gemm real;
  static float calls;
  if (!real) real = (Gemm)dlsym(RTLD_NEXT, "cblas_sgemm");
  const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *mine = getenv("DRIFT_RANK");
  if (mine == NULL || (rank != NULL && strcmp(rank, mine) == 0)) alpha += 1e-6f * ++calls;
  real(order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
