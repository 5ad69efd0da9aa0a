#!/bin/sh
# Builds the small world that a decoder sees, inside a mount namespace that `unshare` has just made, and becomes the decoder in it.
#
#   decoder-world.sh [system PATH]... [link TARGET PLACE]... [program|hide|input|output SOURCE PLACE]... -- COMMAND [ARGUMENT]...
#
# System folders stand where they are, as do links to them, SOURCE stands at PLACE; only an output can be written to. What is to be hidden,
# wherever it lies, is empty but for what is named after it. Every path is an argument of its own and is never read as part of this script.
set -eu
# Whatever fails before the decoder begins says nothing of the footage: the code is that of bound-memory.ts, notHeldCode.
trap 'exit 71' EXIT
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mask=$(umask)
umask 022

# What is mounted next: lines of a table as mount reads it, since a process for each would take longer than many a decoder does; the folders
# and the files that they stand at.
table= folders= files= is_closed=

# planned SOURCE PLACE OPTIONS
planned() {
  table="$table$1 $2 none $3 0 0
"
}

# mount_planned ROOT: all that is planned, in its order; the table lies in ROOT meanwhile.
mount_planned() {
  [ -n "$table" ] || return 0
  # Nothing in them is expanded: `stand` takes plain names alone.
  mkdir -p $folders
  for file in $files; do
    [ -e "$file" ] || : >"$file"
  done
  printf %s "$table" >"$1/mounts"
  mount -a -T "$1/mounts"
  table= folders= files=
}

# close_below: what is mounted below a folder that has been bound came along as it is; from now on it can only be read.
close_below() {
  [ -z "$is_closed" ] || return 0
  is_closed=yes
  mount_planned ''
  sed -nE 's,^([^ ]+ ){4}(/[^ ]+) rw[, ].*,\2,p' /proc/self/mountinfo | while read -r place; do
    case $place in /old | /old/* | /proc | /proc/* | /dev/* | /tmp) continue ;; esac
    # The kernel writes a space as \040.
    case $place in *\\*) place=$(printf %b. "$(printf %s "$place" | sed 's/\\/\\0/g')") place=${place%.} ;; esac
    # What cannot even be named from here, the decoder cannot reach either.
    [ ! -e "$place" ] || mount -o remount,bind,ro,nosuid,nodev "$place"
  done
}

# The mounts below are seen by this process and its children alone. What the folder held is still there, beneath the old root.
mount -t tmpfs -o mode=755,size=1m,nosuid,nodev tmpfs /tmp
mkdir /tmp/old /tmp/tmp /tmp/proc
while [ "$1" = system ]; do
  folders="$folders /tmp$2"
  planned "$2" "/tmp$2" rbind,ro,nosuid,nodev
  shift 2
done
mount_planned /tmp
while [ "$1" = link ]; do
  [ -d "/tmp${3%/*}/" ] || mkdir -p "/tmp${3%/*}"
  ln -s "$2" "/tmp$3"
  shift 3
done
pivot_root /tmp /tmp/old
cd /
# mount and umount want to read which mounts there are. In a user namespace nothing may be bound without what is mounted below it, and below
# /proc there is something on nearly every machine: all of it goes again at the end.
mount -o rbind /old/proc /proc
mount -t tmpfs -o mode=1777,size=16m,nosuid,nodev,noexec tmpfs /tmp

# stand KIND SOURCE PLACE: a file or folder of the old world at its place in the new one.
stand() {
  case $1 in
    hide)
      mount_planned ''
      [ ! -d "$3" ] || mount -t tmpfs -o mode=755,size=1m,nosuid,nodev tmpfs "$3"
      return
      ;;
    program) options=rbind,ro,nosuid,nodev ;;
    input) options=bind,ro,nosuid,nodev,noexec ;;
    output) options=bind,rw,nosuid,nodev,noexec ;;
    device) options=bind ;;
    *) exit 2 ;;
  esac
  if [ -d "/old$2" ]; then folder=$3; else folder=${3%/*}/; fi
  case $2$3 in
    *[!A-Za-z0-9/._-]*)
      # Only what has been mounted so far tells what stands here.
      mount_planned ''
      [ -d "$folder" ] || mkdir -p "$folder"
      [ -e "$3" ] || : >"$3"
      mount -o "$options" "/old$2" "$3"
      ;;
    *)
      folders="$folders $folder"
      [ "$folder" = "$3" ] || files="$files $3"
      planned "/old$2" "$3" "$options"
      ;;
  esac
}

[ ! -f /old/etc/ld.so.cache ] || stand program /etc/ld.so.cache /etc/ld.so.cache
for device in null zero urandom; do stand device "/dev/$device" "/dev/$device"; done
while [ "$1" != -- ]; do
  # Inputs and outputs are files, and folders of the archive's own: nothing is mounted below them, and outputs stay writable.
  [ "$1" = program ] || close_below
  stand "$1" "$2" "$3"
  shift 3
done
shift
close_below
mount_planned ''

umount -l /old /proc
rmdir /old
rm /mounts
mount -o remount,bind,ro /
umask "$mask"
exec "$@"
