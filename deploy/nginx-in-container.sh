#!/bin/sh
# Makes nginx.conf of this folder fit a container of nginx: ARCHIVE_NAME is the name of the archive, ARCHIVE_WEB the machines that serve it,
# as "web-1:4000 web-2:4000". Logs go where containers' logs go.
set -eu
servers=$(printf 'server %s; ' $ARCHIVE_WEB)
sed -e "s/archive\.example/$ARCHIVE_NAME/g" \
  -e "s/server 127\.0\.0\.1:4000;/$servers/" \
  -e 's|/var/log/nginx/rushes-access\.log|/dev/stdout|' \
  -e 's|/var/log/nginx/rushes-error\.log|/dev/stderr|' \
  "${1:-/etc/rushes/nginx.conf}" >"${2:-/etc/nginx/conf.d/rushes.conf}"
