// SPDX-License-Identifier: Apache-2.0
// Gives back to the system what the heap does not use.
#pragma once

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace breakeven {

// Between two runs, so that a launch of many runs takes no more memory than its largest run: what a run
// leaves behind lies between what it has freed.
inline void release_free_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace breakeven
