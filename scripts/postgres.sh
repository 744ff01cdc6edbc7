#!/usr/bin/env bash
# Prints the address of a PostgreSQL server for tests: the one that TOOL_SEARCH_TEST_POSTGRES_URL names, one that already
# listens on this machine, or one that it starts. Everything else goes to stderr.
set -euo pipefail

usable() { psql -X -q -c 'select 1' "$1" >/dev/null 2>&1; }

if [ -n "${TOOL_SEARCH_TEST_POSTGRES_URL:-}" ]; then
  echo "$TOOL_SEARCH_TEST_POSTGRES_URL"
  exit
fi
for url in postgres://postgres@127.0.0.1:5432/test postgres://postgres@127.0.0.1:5432/postgres; do
  if usable "$url"; then echo "$url"; exit; fi
done

if [ ! -x "$(ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null | tail -n 1)" ]; then
  { apt-get update && apt-get install -y --no-install-recommends postgresql; } >&2
fi
bin=$(dirname "$(ls -d /usr/lib/postgresql/*/bin/initdb | tail -n 1)")
data=$(mktemp -d /tmp/tool-search-pg.XXXXXX)
port=54329
as_postgres() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/bash -c "$*"; else bash -c "$*"; fi; }
[ "$(id -u)" = 0 ] && chown postgres "$data"
as_postgres "$bin/initdb -D $data/cluster -U postgres -A trust" >&2
as_postgres "$bin/pg_ctl -D $data/cluster -w -o '-p $port -k $data -c listen_addresses=127.0.0.1 -c fsync=off' -l $data/log start" >&2
echo "postgres://postgres@127.0.0.1:$port/postgres"
