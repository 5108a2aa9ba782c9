#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# jobs/containers as a user builds and runs them, on a minimal image of this machine's distribution, without CUDA. Buildah
# builds the Dockerfile. Of breakeven.def, what copies the sources, what runs and what tests is run too; its %post is the
# Dockerfile's RUN. All files are in memory. Skipped (77) unless BREAKEVEN_TEST_CONTAINER is set,
# and without root, buildah, debootstrap, 8 GiB of memory, or a mirror.
# shellcheck disable=SC2016 # the Dockerfile has variables of its own
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=tests/packaging/clean_system.sh
source tests/packaging/clean_system.sh
recorded=results/h200-4-2026-11-22/scaling.h5

skip() {
  echo "skipped: $1"
  exit 77
}

fail() {
  echo "$1"
  exit 1
}

# The lines of one section of the definition file.
section() {
  awk -v wanted="%$1" '/^%/ { inside = $1 == wanted; next } inside && NF && !/^ *#/ { sub(/^ +/, ""); print }' jobs/containers/breakeven.def
}

run_of_dockerfile=$(sed -n 's/^RUN //p' jobs/containers/Dockerfile | sed 's/"${SETTINGS}"/"{{ SETTINGS }}"/')
[ "$(section post)" = "$run_of_dockerfile" ] ||
  fail "breakeven.def does in %post what the Dockerfile does not do in RUN"
for argument in BASE SETTINGS; do
  [ "$(section arguments | sed -n "s/^ *$argument=//p")" = "$(sed -n "s/^ARG $argument=//p" jobs/containers/Dockerfile)" ] ||
    fail "breakeven.def and Dockerfile have another default of $argument"
done

[ -n "${BREAKEVEN_TEST_CONTAINER:-}" ] || skip "it takes ten minutes and more: set BREAKEVEN_TEST_CONTAINER=1"
[ "$(id -u)" = 0 ] || skip "only root can make a root folder"
for tool in buildah debootstrap; do
  command -v $tool >/dev/null || skip "no $tool; Debian's package $tool has it"
done
[ "$(awk '/MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)" -ge 8 ] || skip "less than 8 GiB of memory are free"
# The mounts and processes of a namespace end with this process, whatever happens.
[ "${1:-}" = inside ] || exec unshare --mount --pid --fork --kill-child --mount-proc bash tests/packaging/container.sh inside
folder=$(mktemp -d)
mount -t tmpfs -o size=6g breakeven "$folder"
trap 'umount --lazy "$folder" && rmdir "$folder"' EXIT
base=$folder/base
buildah=(buildah --root "$folder/images" --runroot "$folder/state")

begun=$SECONDS
said() {
  echo "$((SECONDS - begun)) s: $1"
}

why=$(make_clean_system "$base") || skip "$why"
said "$PRETTY_NAME in a folder"
empty=$("${buildah[@]}" from scratch)
"${buildah[@]}" add --quiet "$empty" "$base" / >/dev/null
"${buildah[@]}" commit --quiet --rm "$empty" base >/dev/null 2>&1
rm -rf "$base"

export APPTAINER_ROOTFS=$folder/copied
sh -euc "$(section setup)"
context=$APPTAINER_ROOTFS/opt/breakeven
[ ! -e "$context/build" ] || fail "the build folder is copied"
# Without optimisation, which takes half of the time.
"${buildah[@]}" build --isolation chroot --network host --build-arg BASE=localhost/base --build-arg SETTINGS=PRESET=debug \
  --tag breakeven --file jobs/containers/Dockerfile "$context" >"$folder/log" 2>&1 || { tail -n 40 "$folder/log"; exit 1; }
said "built"

container=$("${buildah[@]}" from localhost/breakeven)
within() {
  "${buildah[@]}" run --isolation chroot "$container" -- "$@"
}
within sh -euc "$(section test)" >"$folder/version"
grep -qE "^breakeven $(sed -n 's/^project(breakeven VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)\b" "$folder/version" ||
  fail "the image has another version: $(cat "$folder/version")"
cp "$recorded" "$("${buildah[@]}" mount "$container")/work/recorded.h5"
within sh -euc "$(section runscript)" run report recorded.h5 >"$folder/report"
grep -q '^Break-even' "$folder/report" || fail "no break-even in the report: $(cat "$folder/report")"
within breakeven-report recorded.h5 --output page.html
within breakeven wrap --dry-run --gpus 1 --batches 8 --output wrapped.h5 -- true >"$folder/wrapped"
within mpirun --oversubscribe -np 2 breakeven run --backend host --models medium-50 --batches 16 --strategies single,ddp \
  --settle 0 --warmup 2 --steps 5 --repeats 3 --output own.h5 >"$folder/run"
within breakeven report own.h5 --sections provenance >"$folder/own"
grep -qE 'Runs: ([0-9]+) done of \1 planned, \1 of them' "$folder/own" || fail "not all runs are measured: $(cat "$folder/own")"
said "report and run"
