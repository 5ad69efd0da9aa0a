#!/bin/sh
# Puts the archive onto a Debian 12 with Node.js 20 or newer and npm, as root, in the folder that this project lies in: the steps of the
# image, of a machine with systemd, and of a bare chroot. Run again it changes what is not as it should be.
#   install.sh [machine] [modules] [program]    all three where none is named
set -eu
cd "$(dirname "$0")/.."

# The library that the packaged Node.js wants, the certificates of others, the user and the folder of the archive, and the file about it,
# where no newer version lies over it.
machine() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends ca-certificates libatomic1 util-linux
  rm -rf /var/lib/apt/lists/*
  id rushes >/dev/null 2>&1 || useradd --uid 4000 --user-group --no-create-home --home-dir /var/lib/rushes --shell /usr/sbin/nologin rushes
  install -d -m 700 -o rushes -g rushes /var/lib/rushes
  # The image is made without: there the file is mounted.
  [ ! -f archive.config.json ] || [ -e /etc/rushes.config.json ] || install -m 644 archive.config.json /etc/rushes.config.json
}

# Exactly the locked packages; the archive's own user reads them and writes nothing here.
modules() {
  node scripts/bootstrap.mjs
}

# The pages, and the links between libraries of PostgreSQL, which its package leaves to whoever installs it.
program() {
  node_modules/.bin/node commands/build-pages.ts
  node_modules/.bin/node --input-type=module -e "import { postgresBinaries } from './domain/db/postgres-processes.ts'; postgresBinaries();"
}

[ $# -gt 0 ] || set -- machine modules program
for step in "$@"; do
  case $step in
    machine | modules | program) "$step" ;;
    *) echo "install.sh knows machine, modules and program, not $step" >&2 && exit 2 ;;
  esac
done
