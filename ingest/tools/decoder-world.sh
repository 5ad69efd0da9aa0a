#!/bin/sh
# Builds the small world that a decoder sees, inside a mount namespace that `unshare` has just made, and becomes the decoder in it.
#
#   decoder-world.sh [system PATH]... [program|hide|input|output SOURCE PLACE]... -- COMMAND [ARGUMENT]...
#
# System folders stand where they are, SOURCE stands at PLACE; only an output can be written to. What is to be hidden, wherever it lies,
# is empty but for what is named after it. Every path is an argument of its own and is never read as part of this script.
set -eu
# Whatever fails before the decoder begins says nothing of the footage: the code is that of bound-memory.ts, notHeldCode.
trap 'exit 71' EXIT
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mask=$(umask)
umask 022

# The mounts below are seen by this process and its children alone. What the folder held is still there, beneath the old root.
mount -t tmpfs -o mode=755,size=1m,nosuid,nodev tmpfs /tmp
mkdir /tmp/old
while [ "$1" = system ]; do
  mkdir -p "/tmp${2%/*}"
  if [ -L "$2" ]; then
    ln -s "$(readlink "$2")" "/tmp$2"
  else
    mkdir "/tmp$2"
    mount -o bind,ro,nosuid,nodev "$2" "/tmp$2"
  fi
  shift 2
done
pivot_root /tmp /tmp/old
cd /

# stand KIND SOURCE PLACE: a file or folder of the old world at its place in the new one.
stand() {
  if [ "$1" = hide ]; then
    [ ! -d "$3" ] || mount -t tmpfs -o mode=755,size=1m,nosuid,nodev tmpfs "$3"
    return
  elif [ -d "/old$2" ]; then
    mkdir -p "$3"
  elif [ ! -e "$3" ]; then
    mkdir -p "${3%/*}/"
    : >"$3"
  fi
  case $1 in
    program) mount -o bind,ro,nosuid,nodev "/old$2" "$3" ;;
    input) mount -o bind,ro,nosuid,nodev,noexec "/old$2" "$3" ;;
    output) mount -o bind,rw,nosuid,nodev,noexec "/old$2" "$3" ;;
    device) mount -o bind "/old$2" "$3" ;;
    *) exit 2 ;;
  esac
}

[ ! -f /old/etc/ld.so.cache ] || stand program /etc/ld.so.cache /etc/ld.so.cache
for device in null zero urandom; do stand device "/dev/$device" "/dev/$device"; done
mkdir /tmp
mount -t tmpfs -o mode=1777,size=16m,nosuid,nodev,noexec tmpfs /tmp
while [ "$1" != -- ]; do
  stand "$1" "$2" "$3"
  shift 3
done
shift

# umount wants to read which mounts there are.
mkdir -p /proc
mount -o bind /old/proc /proc
umount -l /old
umount -l /proc
rmdir /old
mount -o remount,bind,ro /
umask "$mask"
exec "$@"
