// SPDX-License-Identifier: Apache-2.0
#include "mpi/open_device.h"

#include <cstdio>

#include "mpi/binding.h"
#include "mpi/mpi_call.h"
#include "src/core/terminate.h"

namespace breakeven {
namespace {

enum class Visible { nowhere, somewhere, everywhere };

Visible where_gpus_are_visible(const Session& session) {
  int seeing = visible_gpus() > 0 ? 1 : 0;
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &seeing, 1, MPI_INT, MPI_SUM, session.world()));
  if (seeing == 0) return Visible::nowhere;
  return seeing == session.size() ? Visible::everywhere : Visible::somewhere;
}

void say(const Session& session, const std::string& sentence) {
  if (session.is_root() && !sentence.empty()) std::fprintf(stderr, "breakeven: %s\n", sentence.c_str());
}

}  // namespace

std::unique_ptr<Device> open_device(const Session& session, std::string_view backend, bool share_gpus) {
  say(session, core_remark(session));
  if (backend == "auto") {
    const Visible visible = where_gpus_are_visible(session);
    if (visible == Visible::nowhere) say(session, "no GPU is visible: running on the host backend");
    if (visible == Visible::somewhere) say(session, "some ranks see no GPU: all run on the host backend");
    backend = name_of(visible == Visible::everywhere ? Backend::cuda : Backend::host);
  }
  if (backend == name_of(Backend::host)) return make_host_device();

  const Binding binding = bind_gpu(session, share_gpus);
  say(session, binding.gpu < 0 ? binding.sentence : binding.remark);
  if (binding.gpu < 0) return nullptr;
  report_gpu_as(binding.gpu);
  return make_cuda_device(binding.gpu);
}

}  // namespace breakeven
