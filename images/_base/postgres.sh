#!/bin/bash
# Makes PostgreSQL's server programs be there, without a cluster of their own: the
# database tests, and judge by default, make theirs.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=apt.sh
. "$(dirname "$0")/apt.sh"

found() { command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }

found && exit 0
if ! debian_like || [ "$(id -u)" != 0 ]; then
    die "PostgreSQL's server programs (initdb, postgres) are missing: install PostgreSQL 15 or later"
fi
# Else the package makes a cluster and starts it.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] ||
    echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
install_packages postgresql
found || die "PostgreSQL is installed, but initdb is not to be found"
