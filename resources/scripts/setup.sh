# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by app/run, tests/run and .ci. Sets `root` (the project's folder) and `build` (build/release in it).
#   palimpsest_packages [PACKAGE...]             installs what is missing of resources/debian-packages.txt and of these
#   packages_to_package                          prints what only app/package needs of that list
#   palimpsest_build [TARGET...]                 configures and builds build/release: all targets when none is named
#   palimpsest_build_preset PRESET [TARGET...]   the same for another preset, in build/PRESET; the array `configure` holds
#                                                more arguments for CMake
#   palimpsest_build_torch TORCH [TARGET...]     release with another LibTorch, in a folder of its own that becomes `build`
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

installed() { [[ $(dpkg-query --show --showformat='${db:Status-Abbrev}' "$1" 2>/dev/null) == ii* ]]; }

missing_packages() {
  local package
  while read -r package; do
    # The one with CUDA takes its place.
    [[ $package != libtorch-dev ]] || ! installed libtorch-cuda-dev || continue
    installed "$package" || printf '%s\n' "$package"
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

# LibTorch's own CMake files demand the whole CUDA toolkit, of which nothing here is needed but the headers of its
# runtime, and these for CUDA graphs alone. So where there is no toolkit, a file in FOLDER stands in for them. Sets
# `found_options`, for CMake.
plain_torch() { # folder that holds include, folder of the libraries, FOLDER
  local config=$3/torch-config abi='' file library
  for file in "$1/share/cmake/Torch/TorchConfig.cmake" "$2/cmake/Torch/TorchConfig.cmake"; do
    [[ -n $abi ]] || abi=$(grep -hom 1 '_GLIBCXX_USE_CXX11_ABI=[01]' "$file" 2>/dev/null || true)
  done
  mkdir -p "$config"
  {
    echo "set(TORCH_INSTALL_PREFIX \"$1\")"
    echo "set(TORCH_INCLUDE_DIRS \"$1/include\" \"$1/include/torch/csrc/api/include\")"
    # libtorch_cuda registers itself when it is loaded: without CUDA graphs no symbol of it is named.
    echo "set(TORCH_LIBRARIES -Wl,--no-as-needed)"
    for library in torch torch_cpu torch_cuda c10_cuda c10; do
      [[ ! -e $2/lib$library.so ]] || echo "list(APPEND TORCH_LIBRARIES \"$2/lib$library.so\")"
    done
    echo "set(TORCH_CXX_FLAGS \"${abi:+-D$abi}\")"
    echo "set(Torch_FOUND TRUE)"
  } >"$config/TorchConfig.cmake"
  found_options=("-DTorch_DIR=$config" "-DCMAKE_BUILD_RPATH=$2")
}

# Sets `found_torch` to the LibTorch folder of a Python's torch; empty where that is the system's LibTorch.
python_torch() { # PYTHON
  local prefix
  found_torch=
  prefix=$("$1" -c 'import torch; print(torch.utils.cmake_prefix_path)' 2>/dev/null) || { say "$1 has no torch"; return 1; }
  if [[ -e $prefix/Torch/TorchConfig.cmake ]]; then
    found_torch=$(cd "$prefix/../.." && pwd)
  else
    say "this torch has no CMake files in $prefix, as Debian's: taking the system's LibTorch"
  fi
}

# Sets `found_options` for CMake to take the LibTorch in a folder, the one that holds include, lib and share.
torch_options() { # TORCH, FOLDER
  local torch
  torch=$(cd "$1" && pwd) || return 1
  [[ -d $torch/include/ATen ]] || { say "$torch is no LibTorch: it has no include/ATen"; return 1; }
  found_options=("-DCMAKE_PREFIX_PATH=$torch")
  if [[ -e $torch/lib/libtorch_cuda.so ]] && ! command -v nvcc >/dev/null || [[ -n ${PALIMPSEST_PLAIN_TORCH:-} ]]; then
    plain_torch "$torch" "$torch/lib" "$2"
  fi
}

# The same for Debian's libtorch-cuda-dev; no options where it is not installed, or where nvcc is there.
debian_cuda_options() { # FOLDER
  local library
  found_options=()
  command -v nvcc >/dev/null && return
  for library in /usr/lib/*/libtorch_cuda.so; do
    [[ ! -e $library ]] || plain_torch /usr "$(dirname "$library")" "$1"
  done
}

# TORCH: a LibTorch folder; a virtual environment or the Python of one; "pip": the Python at hand; "debian-cuda".
palimpsest_build_torch() {
  local given=$1 python='' key
  shift
  case $given in
    debian-cuda) key=debian-cuda ;;
    pip)
      python=$(command -v python3) || { say "there is no python3 whose torch could be taken"; exit 2; }
      [[ -z ${VIRTUAL_ENV:-} ]] || python=$VIRTUAL_ENV/bin/python
      ;;
    *)
      if [[ -x $given/bin/python ]]; then
        python=$given/bin/python
      elif [[ -f $given && -x $given ]]; then
        python=$given
      elif [[ ! -d $given ]]; then
        say "there is no LibTorch and no Python environment at $given"
        exit 2
      fi
      ;;
  esac
  found_torch=$given
  if [[ -n $python ]]; then
    python_torch "$python" || exit 2
    # The system's own: nothing else is to be built.
    [[ -n $found_torch ]] || { palimpsest_build "$@"; return; }
  fi
  [[ -n ${key:-} ]] || key=$(cd "$found_torch" && pwd | sha256sum | cut -c1-8)
  build=$root/build/torch-$key
  [[ -d $build ]] || check_disk
  mkdir -p "$build"
  if [[ $key == debian-cuda ]]; then debian_cuda_options "$build"; else torch_options "$found_torch" "$build" || exit 2; fi
  local log=$build/configure.log
  say "taking the LibTorch ${found_torch}"
  if ! cmake -S "$root" --preset release -B "$build" -DPALIMPSEST_TESTS=OFF -DPALIMPSEST_BENCHMARKS=OFF \
    "${found_options[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    say "CMake could not configure the project with this LibTorch (log: $log)"
    exit 1
  fi
  say "building in $build"
  cmake --build "$build" --parallel "$(build_jobs)" ${1:+--target "$@"} >&2
}

# Debian 13 has a LibTorch with CUDA in its section contrib. Asks before anything is installed.
palimpsest_cuda_package() {
  local system version
  system=$(. /etc/os-release 2>/dev/null && echo "${ID:-}") version=$(. /etc/os-release 2>/dev/null && echo "${VERSION_ID:-}")
  if [[ $system != debian ]]; then
    say "--gpu installs a package of Debian 13, and this is ${system:-another system}: take --torch with a LibTorch that has CUDA"
    exit 2
  fi
  if [[ -n $version ]] && ((${version%%.*} < 13)); then
    say "Debian $version has no LibTorch with CUDA: take --torch with one that has (from pytorch.org, or a Python's torch), or upgrade to Debian 13"
    exit 2
  fi
  ! installed libtorch-cuda-dev || return 0
  if [[ -z $(apt-cache search --names-only '^libtorch-cuda-dev$' 2>/dev/null) ]]; then
    say "apt does not know libtorch-cuda-dev: add the components contrib, non-free and non-free-firmware to Debian's sources, run apt-get update, and try again"
    exit 2
  fi
  cat >&2 <<'TEXT'

--gpu installs libtorch-cuda-dev from Debian's section contrib:

  - It needs an NVIDIA GPU with NVIDIA's driver (Debian: nvidia-driver, nvidia-smi shows it).
  - It brings NVIDIA's CUDA libraries from the section non-free. They are not free software: you accept NVIDIA's
    licence for them (/usr/share/doc/nvidia-cuda-toolkit/copyright once they are installed).
  - One of them, cuDNN, is fetched from NVIDIA's own server by Debian's package nvidia-cudnn, which asks you whether you
    agree to its licence.
  - That is several gigabytes. It may replace Debian's LibTorch without CUDA; apt shows what it does and asks.

TEXT
  if [[ ! -t 0 ]]; then
    say "nobody is there to answer: install it yourself with: apt-get install libtorch-cuda-dev"
    exit 2
  fi
  local answer=
  read -r -p "Install it now? [y/N] " answer
  [[ $answer == [yY]* ]] || { say "nothing was installed"; exit 2; }
  as_root apt-get install --no-install-recommends libtorch-cuda-dev
}

# Tests leave settings, runs and caches of the user at this machine untouched, and need no display.
palimpsest_test_home() {
  export XDG_CONFIG_HOME=$1/config XDG_DATA_HOME=$1/data XDG_CACHE_HOME=$1/cache
  mkdir -p "$XDG_CONFIG_HOME" "$XDG_DATA_HOME" "$XDG_CACHE_HOME"
  export QT_QPA_PLATFORM=offscreen
}
