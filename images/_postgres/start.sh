#!/bin/bash
# Starts the command as the user postgres, with a cluster in PGDATA: the one that
# is there, or a new one for POSTGRES_USER with POSTGRES_PASSWORD and POSTGRES_DB.
#
# A cluster is made below PGDATA and then moved up, PG_VERSION last: whatever is
# killed meanwhile, the next start makes it whole.
set -euo pipefail

die() { printf 'start.sh: %s\n' "$*" >&2; exit 1; }

if [ "$(id -u)" = 0 ]; then
    mkdir -p "$PGDATA"
    # A volume of another image has another uid.
    find "$PGDATA" ! -user postgres -exec chown -h postgres:postgres {} +
    chmod 0700 "$PGDATA"
    exec setpriv --reuid=postgres --regid=postgres --init-groups -- "$0" "$@"
fi

new=$PGDATA/new

make_cluster() {
    local user=${POSTGRES_USER:-postgres}
    local name=${POSTGRES_DB:-$user}
    [ -n "${POSTGRES_PASSWORD:-}" ] || die "POSTGRES_PASSWORD is empty: a new cluster needs a password for $user"
    [[ $name =~ ^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$ ]] || die "POSTGRES_DB is \"$name\": letters, digits, - and _ are wanted, at most 63"
    rm -rf "$new"
    [ -z "$(find "$PGDATA" -mindepth 1 -maxdepth 1 ! -name lost+found -print -quit)" ] ||
        die "$PGDATA holds something that is no cluster: empty it, or name another folder with PGDATA"
    mkdir -m 0700 "$new"
    initdb --pgdata="$new" --username="$user" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") \
        --encoding=UTF8 --locale=C.UTF-8 --data-checksums --auth-local=trust --auth-host=scram-sha-256
    if [ "$name" != postgres ]; then
        printf 'CREATE DATABASE "%s";\n' "$name" | postgres --single -D "$new" postgres >/dev/null
    fi
    echo "listen_addresses = '*'" >>"$new/postgresql.conf"
    echo 'host all all all scram-sha-256' >>"$new/pg_hba.conf"
    touch "$new/.whole"
}

if [ ! -s "$PGDATA/PG_VERSION" ]; then
    [ -e "$new/.whole" ] || make_cluster
    find "$new" -mindepth 1 -maxdepth 1 ! -name PG_VERSION ! -name .whole -exec mv -t "$PGDATA" {} +
    sync
    mv "$new/PG_VERSION" "$PGDATA/"
fi
rm -rf "$new"
exec "$@"
