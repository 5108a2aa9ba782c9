// SPDX-License-Identifier: Apache-2.0
// What tests that run on several ranks share: the session that their main has opened, and a device.
#pragma once

#include <memory>

#include "kernels/device.h"
#include "mpi/session.h"

namespace breakeven {

const Session& test_session();

// BREAKEVEN_TEST_DEVICE=cuda: this rank's GPU; else the host. The main has skipped all where GPUs are too
// few.
std::unique_ptr<Device> make_test_device();
bool testing_on_cuda();
// BREAKEVEN_TEST_SHARE_GPUS=1: ranks may share a GPU.
bool sharing_test_gpus();

}  // namespace breakeven
