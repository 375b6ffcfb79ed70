#!/bin/bash
# A Debian trixie in a folder, with libcamera's virtual pipeline and the real picamera2 in it.
# usage: make_root.sh FOLDER PYTHON   (as root; PYTHON has pip and the machine's own settings)
set -euo pipefail
folder=$1 python=$2
root=$folder/root wheels=$folder/wheels
mkdir -p "$folder" "$wheels"

if ! command -v debootstrap >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap >/dev/null
fi

# the mirror this machine already trusts, whatever it is called
mirror=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT) $(LABEL)' 'Created-By: Packages' \
  | awk '$2 == "main" && $3 == "Debian" { print $1; exit }')
if [ -z "$mirror" ]; then
  echo "apt knows no Debian mirror here: this target needs one" >&2
  exit 1
fi

packages=python3,python3-pip,python3-numpy,python3-pil,python3-jsonschema,python3-av
packages+=,python3-piexif,python3-prctl,python3-tqdm,ca-certificates
if [ ! -e "$root/.complete" ]; then
  rm -rf "$root"
  debootstrap --variant=minbase --include="$packages" trixie "$root" "$mirror" >"$folder/debootstrap.log" \
    || { tail -n 5 "$folder/debootstrap.log" >&2; exit 1; }
  # trixie's own libcamera leaves a frame's state unset in the virtual camera, so that frames are
  # now and then taken for broken ones; the backport does not
  echo "deb $mirror trixie-backports main" >"$root/etc/apt/sources.list.d/backports.list"
  unshare --mount /bin/sh -c 'mount -t proc proc "$1/proc" && exec chroot "$1" /bin/sh -c "
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      -t trixie-backports python3-libcamera"' sh "$root" >>"$folder/debootstrap.log" 2>&1 \
    || { tail -n 5 "$folder/debootstrap.log" >&2; exit 1; }
  touch "$root/.complete"
fi

# what Debian has not: fetched by this machine's pip, unpacked by the other Python's
if [ ! -e "$root/.wheels" ]; then
  "$python" -m pip download -q --no-deps --only-binary=:all: --python-version 3.13 \
    --platform manylinux_2_28_"$(uname -m)" --platform manylinux2014_"$(uname -m)" \
    --dest "$wheels" picamera2 simplejpeg videodev2 opencv-python-headless
  rm -rf "$root/wheels"
  cp -r "$wheels" "$root/wheels"
  chroot "$root" /bin/sh -c \
    'python3 -m pip install -q --break-system-packages --root-user-action=ignore --no-deps --no-index /wheels/*.whl'
  touch "$root/.wheels"
fi
