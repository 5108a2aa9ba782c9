#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a launcher with a temporary folder of its own: Open MPI's launchers remove each other's.
#   in_own_folder.sh COMMAND [ARGUMENT...]
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/be-XXXXXX") || exit
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
"$@"
