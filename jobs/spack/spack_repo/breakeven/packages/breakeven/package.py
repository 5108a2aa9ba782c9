# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Breakeven(CMakePackage, CudaPackage):
    """Measures at what point adding GPUs pays off, on this machine and for this model. It trains
    multilayer perceptrons on one and several GPUs, or on processors, launched by MPI."""

    # The clone that this file is in, so that a site builds what it has checked out.
    git = Path(__file__).resolve().parents[6].as_uri()

    license("Apache-2.0")

    version("main", branch="main")
    version("1.0.0", tag="v1.0.0")

    variant("mpi", default=True, description="Build the commands that measure")
    conflicts("+cuda", when="~mpi", msg="only the commands that measure use GPUs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    conflicts("%gcc@:10", msg="breakeven needs C++20")
    depends_on("cmake@3.22:", type="build")
    depends_on("gmake", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconf", type="build")
    depends_on("git", type="build")

    depends_on("mpi", when="+mpi")
    depends_on("hdf5+mpi+hl", when="+mpi")
    depends_on("hdf5~mpi+hl", when="~mpi")
    depends_on("openblas", when="+mpi")
    depends_on("boost@1.74:+program_options")
    depends_on("fmt")
    depends_on("nlohmann-json")

    # The site's own, not in setup/packages.
    depends_on("cuda@12:", when="+cuda")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs, such as cuda_arch=90a")
    depends_on("nccl", when="+cuda")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"nccl+cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define_from_variant("BREAKEVEN_MEASURE", "mpi"),
            self.define_from_variant("BREAKEVEN_CUDA", "cuda"),
            self.define("BUILD_TESTING", False),
            self.define("HDF5_ROOT", self.spec["hdf5"].prefix),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("NCCL_ROOT", self.spec["nccl"].prefix))
            values = self.spec.variants["cuda_arch"].value
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", [f"{one}-real" for one in values]))
        return args
