#!/bin/bash
# The camera adapter on the real Picamera2 class and libcamera's virtual pipeline.
# usage: run.sh FOLDER PYTHON
set -euo pipefail
folder=$1 python=$2
here=$(cd "$(dirname "$0")" && pwd)
house=$(cd "$here/../../.." && pwd)
if [ "$(id -u)" != 0 ]; then
  echo "this target makes a Debian in a folder and steps into it: it needs root (sudo make test-picamera2)" >&2
  exit 1
fi
"$here/make_root.sh" "$folder" "$python"
root=$folder/root

# the pictures the virtual camera shows: one colour each, so that every frame tells which it was
rm -rf "$root/pictures" "$root/arbitre" "$root/trial"
mkdir -p "$root/pictures" "$root/arbitre" "$root/trial" "$root/usr/share/libcamera/pipeline/virtual"
"$python" "$here/pictures.py" "$root/pictures"
cp "$here/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/virtual.yaml"
cp -r "$house/vision" "$house/hardware" "$house/calibration" "$root/arbitre/"
cp -r "$here/stand_ins" "$here/trial.py" "$root/trial/"

# /proc is mounted where only this command can see it, and gone with it
exec unshare --mount /bin/sh -c 'mount -t proc proc "$1/proc" && exec chroot "$@"' sh "$root" \
  /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 \
  LIBCAMERA_LOG_LEVELS=*:FATAL LIBCAMERA_PIPELINES_MATCH_LIST=virtual \
  PYTHONPATH=/arbitre:/trial/stand_ins PYTHONDONTWRITEBYTECODE=1 \
  timeout 240 python3 -u /trial/trial.py
