#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `pip install ./analysis` as on a laptop: in a clean folder that has neither kernels/ nor mpi/, into a fresh environment,
# by a compiler that refuses the headers of MPI, CUDA, NCCL and OpenBLAS. Then report, HTML report and a picture from a
# recorded file, with the program of the package alone, and the unit tests of what it was built from. Skipped (77) without
# serial HDF5 or PyPI.
#   BREAKEVEN: a program that has to print the same report; BREAKEVEN_TEST_PYTHON: the Python of the fresh environment
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BREAKEVEN:?}"
program=$(realpath "$BREAKEVEN") python=${BREAKEVEN_TEST_PYTHON:-python3}
recorded=results/h200-4-2026-11-22/scaling.h5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset BREAKEVEN BREAKEVEN_PROGRAM

skip() {
  echo "skipped: $1"
  exit 77
}

fail() {
  echo "$1"
  exit 1
}

pkg-config --exists hdf5-serial 2>/dev/null || h5cc -showconfig 2>/dev/null | grep -q 'Parallel HDF5: no' ||
  skip "no serial HDF5; Debian's package libhdf5-dev has it"

# A compiler as on a machine without them: whoever includes one of these headers, or looks into MPI's folders, fails.
mkdir -p "$folder/sources/results" "$folder/without" "$folder/compilers"
for header in mpi.h cuda.h cuda_runtime.h cuda_runtime_api.h cublas_v2.h nccl.h cblas.h; do
  echo "#error \"$header is not on this machine\"" >"$folder/without/$header"
done
for compiler in cc c++; do
  cat >"$folder/compilers/$compiler" <<END
#!/usr/bin/env bash
case "\$*" in *openmpi* | *mpich* | *cuda*) echo "$compiler: MPI or CUDA is asked for: \$*" >&2; exit 1 ;; esac
exec $(command -v $compiler) -I "$folder/without" "\$@"
END
  chmod +x "$folder/compilers/$compiler"
done
export CC=$folder/compilers/cc CXX=$folder/compilers/c++
for header in "$folder"/without/*.h; do
  ! echo "#include <$(basename "$header")>" | "$CXX" -E -x c++ - >/dev/null 2>&1 || fail "the compiler finds $(basename "$header")"
done

cp -r analysis cmake src tests CMakeLists.txt LICENSE "$folder/sources"
mkdir -p "$folder/sources/jobs" "$folder/sources/$(dirname $recorded)"
cp -r jobs/suites jobs/topologies "$folder/sources/jobs"
cp $recorded "$folder/sources/$recorded"
cd "$folder/sources"

"$python" -m venv "$folder/environment"
pip=$folder/environment/bin/pip
export PIP_DISABLE_PIP_VERSION_CHECK=1
"$pip" download --quiet --no-deps --dest "$folder/reached" "scikit-build-core>=0.11" 2>"$folder/errors" ||
  skip "pip finds no packages: $(tail -n 1 "$folder/errors")"
begun=$SECONDS
"$pip" install --quiet --config-settings build-dir="$folder/build" ./analysis
# A time is no assertion: it depends on what else the machine does.
echo "pip install ./analysis took $((SECONDS - begun)) s"

# From here on, outside the sources, and with nothing but the environment.
cd "$folder"
recorded=$folder/sources/$recorded
export PATH=$folder/environment/bin:/usr/bin:/bin
own=$(python -c 'import breakeven_analysis as b; print(b.find_program())')
[[ $own == "$folder"/environment/*/breakeven_analysis/bin/breakeven ]] || fail "the package uses $own"
! ldd "$own" | grep -iE 'mpi|cuda|cublas|nccl|openblas' || fail "the program links to what a laptop does not have"
for format in json csv text; do
  breakeven report "$recorded" --format $format >"own.$format"
  "$program" report "$recorded" --format $format >"expected.$format"
  cmp "own.$format" "expected.$format"
done
breakeven advise "$recorded" --model xl --batch 4096 >advice.txt
grep -q fastest advice.txt || fail "no advice"
code=0
breakeven run >run.txt 2>&1 || code=$?
[ "$code, $(wc -l <run.txt)" = "2, 1" ] || fail "run: exit code $code, $(cat run.txt)"
breakeven-report "$recorded" --output page.html
grep -q '<script' page.html || fail "no page"
python -c "
from breakeven_analysis import *
plot.speedup_by_batch(read_report('$recorded'), models='xl').savefig('picture.png')"
[ "$(head -c 4 picture.png | tail -c 3)" = PNG ] || fail "no picture"

# A source archive holds all of the program's sources, and CMake configures them there.
cd "$folder/sources/analysis"
"$pip" install --quiet "scikit-build-core>=0.11"
python -c "import packaging_backend as backend; backend.build_sdist('$folder/archives')"
[ ! -e program ] || fail "the sources in the archive's making are left behind"
mkdir "$folder/unpacked"
tar -xf "$folder"/archives/*.tar.gz -C "$folder/unpacked" --strip-components 1
diff -r "$folder/sources/src" "$folder/unpacked/program/src"
diff -r "$folder/sources/cmake" "$folder/unpacked/program/cmake"
cmake -S "$folder/unpacked/program" -B "$folder/configured" -DBREAKEVEN_MEASURE=OFF -DBUILD_TESTING=OFF >/dev/null

# The unit tests, by the same compiler, of what pip compiled. The long ones are of formulas, which do not depend on what is on
# the machine: `make test-long` runs them where all is built.
begun=$SECONDS
cmake -S "$folder/sources" -B "$folder/build" -DBUILD_TESTING=ON >/dev/null
cmake --build "$folder/build" --parallel 2 --target test_answer >"$folder/log" || fail "$(tail -n 40 "$folder/log")"
ctest --test-dir "$folder/build" --parallel 2 --label-regex unit --label-exclude long --output-on-failure >"$folder/log" ||
  fail "$(tail -n 40 "$folder/log")"
passed=$(sed -n 's/^100% tests passed.* out of \([0-9]*\)$/\1/p' "$folder/log")
long=$(ctest --test-dir "$folder/build" --show-only --label-regex long | grep -c ': unit\.')
[ $((passed + long)) -eq "$(find "$folder/sources/tests/answer" -name 'test_*.cpp' | wc -l)" ] ||
  fail "only ${passed:-no} unit tests ran"
echo "$passed unit tests took $((SECONDS - begun)) s"
