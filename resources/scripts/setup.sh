# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by app/run and tests/run. Sets `root` (the project's folder), installs what is missing and builds.
#   palimpsest_packages          installs the missing packages of resources/debian-packages.txt
#   palimpsest_build TARGET...   configures and builds build/release (all targets when none is named)
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/release

say() { printf 'palimpsest: %s\n' "$*" >&2; }

# Runs a command as root, through sudo where we are not.
as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  else
    sudo -- "$@"
  fi
}

missing_packages() {
  local package
  while read -r package; do
    [[ $(dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2>/dev/null) == ii* ]] || printf '%s\n' "$package"
  done < <(grep -Ev '^[[:space:]]*(#|$)' "$root/resources/debian-packages.txt")
}

palimpsest_packages() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "this is not Debian, so nothing is installed; these Debian packages (or their like) are needed:"
    grep -Ev '^[[:space:]]*(#|$)' "$root/resources/debian-packages.txt" | sed 's/^/  /' >&2
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages)
  [[ ${#missing[@]} -gt 0 ]] || return 0
  if [[ $EUID -ne 0 ]] && ! command -v sudo >/dev/null; then
    say "${#missing[@]} packages are missing and neither root nor sudo is at hand; have them installed with:"
    say "  apt-get install --no-install-recommends ${missing[*]}"
    exit 2
  fi
  say "installing ${#missing[@]} missing packages: ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# As many jobs as there are cores, but no more than memory allows: a LibTorch file takes more than a gigabyte.
build_jobs() {
  local cores kilobytes by_memory
  cores=$(nproc)
  kilobytes=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo 2>/dev/null || true)
  by_memory=$((${kilobytes:-8000000} / 1500000))
  ((by_memory >= 1)) || by_memory=1
  echo $((cores < by_memory ? cores : by_memory))
}

palimpsest_build() {
  # ccache keeps its files in the user's cache folder, so that a new checkout builds quickly too.
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
  local log=$build/configure.log
  mkdir -p "$build"
  if ! (cd "$root" && cmake --preset release) >"$log" 2>&1; then
    cat "$log" >&2
    say "CMake could not configure the project (log: $log)"
    exit 1
  fi
  say "building in $build"
  cmake --build "$build" --parallel "$(build_jobs)" ${1:+--target "$@"} >&2
}
