// SPDX-License-Identifier: Apache-2.0
// Making the host device: one BLAS thread for each rank, since the ranks are what the cores are shared by.
#include "kernels/host/host_device.h"

#include <cblas.h>

#include "kernels/host/processor.h"

namespace breakeven {

HostDevice::HostDevice() : info_(describe_processor()) { openblas_set_num_threads(1); }

std::unique_ptr<Device> make_host_device() { return std::make_unique<HostDevice>(); }

}  // namespace breakeven
