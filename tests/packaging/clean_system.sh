# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For scripts that start from a clean system.
# shellcheck disable=SC2016 # apt has variables of its own
# shellcheck source=/dev/null
source /etc/os-release

# apt_sources FORMAT: those of this machine's distribution, without those of anybody else.
apt_sources() {
  apt-get indextargets --format "$1" "Created-By: Packages" "Origin: ${NAME%% *}"
}

# make_clean_system FOLDER: a minimal root folder of this machine's distribution, with its mirrors and what it tells apt and pip.
# If that fails, it prints why.
make_clean_system() {
  local mirror said
  mirror=$(apt_sources '$(RELEASE) $(REPO_URI)' | awk -v release="$VERSION_CODENAME" '$1 == release { print $2; exit }')
  if [ -z "$mirror" ]; then
    echo "apt names no mirror of $VERSION_CODENAME; run apt-get update"
    return 1
  fi
  if ! said=$(debootstrap --variant=minbase "$VERSION_CODENAME" "$1" "$mirror" 2>&1); then
    echo "debootstrap: $(tail -n 1 <<<"$said")"
    return 1
  fi
  apt_sources 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' >"$1/etc/apt/sources.list"
  apt-config dump | grep '^Acquire::' >"$1/etc/apt/apt.conf.d/90machine"
  ! pip config get global.index-url >/dev/null 2>&1 ||
    printf '[global]\nindex-url = %s\n' "$(pip config get global.index-url)" >"$1/etc/pip.conf"
  # Debian's installer writes these names. Without the second every start of MPI asks a name server for it.
  printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$(hostname)" >"$1/etc/hosts"
  rm -f "$1"/var/cache/apt/archives/*.deb "$1"/var/lib/apt/lists/*_*
}
