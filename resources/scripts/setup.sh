# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by app/run, tests/run and .ci. Sets `root` (the project's folder) and `build` (build/release in it).
#   palimpsest_packages [PACKAGE...]             installs what is missing of resources/debian-packages.txt and of these
#   packages_to_package                          prints what only app/package needs of that list
#   palimpsest_build [TARGET...]                 configures and builds build/release: all targets when none is named
#   palimpsest_build_preset PRESET [TARGET...]   the same for another preset, in build/PRESET; the array `configure` holds
#                                                more arguments for CMake
#   palimpsest_test_home FOLDER                  sets the environment that tests need, with their own home in FOLDER
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/release
# ccache keeps its files in the user's cache folder, so that a new checkout builds quickly too.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}

configure=()

say() { printf 'palimpsest: %s\n' "$*" >&2; }

# Runs a command as root, through sudo where we are not.
as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  else
    sudo -- "$@"
  fi
}

needed_packages() {
  awk '/^#/ { other = /^# package:/ } NF && !/^#/ && !other' "$root/resources/debian-packages.txt"
  [[ $# == 0 ]] || printf '%s\n' "$@"
}

packages_to_package() {
  awk '/^#/ { wanted = /^# package:/ } NF && !/^#/ && wanted' "$root/resources/debian-packages.txt"
}

missing_packages() {
  local package
  while read -r package; do
    [[ $(dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2>/dev/null) == ii* ]] || printf '%s\n' "$package"
  done < <(needed_packages "$@")
}

palimpsest_packages() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "this is not Debian, so nothing is installed; these Debian packages (or their like) are needed:"
    needed_packages "$@" | sed 's/^/  /' >&2
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
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

# A run waits when its disk is full, and a test with it: that is said before, not guessed afterwards.
check_disk() {
  local free
  free=$(df --output=avail --block-size=M "$root" 2>/dev/null | tail -n 1 | tr -dc 0-9)
  if [[ -n $free ]] && ((free < 4000)); then
    say "only $free MB of disk are free at $root; building and testing take about 4,000 MB"
  fi
}

palimpsest_build_preset() {
  local folder=$root/build/$1
  local log=$folder/configure.log
  [[ -d $folder ]] || check_disk
  mkdir -p "$folder"
  if ! (cd "$root" && cmake --preset "$1" "${configure[@]}") >"$log" 2>&1; then
    cat "$log" >&2
    say "CMake could not configure the project (log: $log)"
    exit 1
  fi
  say "building in $folder"
  cmake --build "$folder" --parallel "$(build_jobs)" ${2:+--target "${@:2}"} >&2
}

palimpsest_build() { palimpsest_build_preset release "$@"; }

# Tests leave settings, runs and caches of the user at this machine untouched, and need no display.
palimpsest_test_home() {
  export XDG_CONFIG_HOME=$1/config XDG_DATA_HOME=$1/data XDG_CACHE_HOME=$1/cache
  mkdir -p "$XDG_CONFIG_HOME" "$XDG_DATA_HOME" "$XDG_CACHE_HOME"
  export QT_QPA_PLATFORM=offscreen
}
