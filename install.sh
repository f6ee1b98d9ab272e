#!/bin/sh
# Installs Workspace: from an unpacked release archive, or from a checkout of the sources. Run it again after an update.
set -eu

usage() {
  cat <<'TEXT'
Usage: ./install.sh [options]
       ./install.sh --rollback [options]
       ./install.sh --uninstall [options]

From an unpacked archive, it checks every file against SHA256SUMS, installs to PREFIX/lib/workspace/VERSION, and links
PREFIX/bin/workspace. From a checkout, it installs the dependencies there, downloads Node 24 if yours is older, builds,
removes the packages that only building needs, and links. Run it again at any time to update or repair. If an older
version is installed, it backs up the data first; a running service is restarted, and rolled back if the new version
does not answer. From a checkout, the data in $WORKSPACE_DATA (default: ~/.local/share/workspace) is backed up if the new
version will upgrade it. A PostgreSQL database is yours to back up (pg_dump): --no-backup says that you have.

Where to:
  --prefix DIR       below DIR (default: $PREFIX, else /usr/local with --system, else ~/.local)
  --system           for all users, below /usr/local; needs root
  --no-link          from a checkout: do not link; start it as ./bin/workspace
  --keep-dev         from a checkout: keep the packages that only building and testing need (350 MB)

As a service:
  --systemd          install, enable and start workspace.service: of the system as root, otherwise of this user
  --base-url URL     where people reach it, such as https://work.example.org
  --host ADDRESS     address to listen on (127.0.0.1 unless set)
  --port NUMBER      port to listen on (8787 unless set)
  --trusted-proxies LIST   addresses of the proxy in front, which handles TLS
  --data DIR         folder of the data, for a service of a user
  These five are kept in workspace.env (/etc/workspace or ~/.config/workspace), where every other setting may be added.

Versions:
  --no-backup        do not back the data up before a new version
  --downgrade        allow a version older than the installed one; a database that was upgraded since will refuse it
  --rollback         go back to the version that was installed before this one

  --uninstall        stop and remove the service, the program and its links; data, settings and backups stay
  --help             show this text
TEXT
}

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

# --- What was asked for

read_options() {
  action=install prefix=${PREFIX:-} chosen='' system='' keep_dev='' link=yes service='' backup=yes downgrade='' settings='' data=''
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix=* | --base-url=* | --host=* | --port=* | --trusted-proxies=* | --data=*) take "${1%%=*}" "${1#*=}" ;;
      --prefix | --base-url | --host | --port | --trusted-proxies | --data)
        [ $# -ge 2 ] || fail "$1 needs a value"
        take "$1" "$2"
        shift
        ;;
      --system) system=yes ;;
      --no-link) link='' ;;
      --keep-dev) keep_dev=yes ;;
      --systemd) service=yes ;;
      --no-backup) backup='' ;;
      --downgrade) downgrade=yes ;;
      --rollback) action=rollback ;;
      --uninstall) action=uninstall ;;
      --help | -h) usage; exit 0 ;;
      *) usage >&2; fail "unknown option $1" ;;
    esac
    shift
  done
  check_options
}

take() {
  case $1 in
    --prefix)
      [ -n "$2" ] || fail '--prefix needs a folder'
      prefix=$2 chosen=yes
      return
      ;;
    --data) data=$2 ;;
  esac
  case $2 in
    '' | *[!A-Za-z0-9._:/%+,=@~\[\]-]*) fail "$1 cannot be written to a settings file: $2" ;;
  esac
  settings="$settings$(name_of "$1")=$2
"
}

name_of() { printf 'WORKSPACE_%s' "$(printf %s "${1#--}" | tr 'a-z-' 'A-Z_')"; }

check_options() {
  user=$(id -u)
  [ -z "$system" ] || [ "$user" = 0 ] || fail '--system needs root; without it, the workspace is installed for you alone.'
  if [ -z "$prefix" ]; then
    if [ -n "$system" ] || { [ -n "$service" ] && [ "$user" = 0 ]; }; then prefix=/usr/local; else prefix=${HOME:+$HOME/.local}; fi
  fi
  case $prefix in
    '' | /*) ;;
    *) prefix=$PWD/$prefix ;; # before any cd changes what it means
  esac
  case $data in
    '') ;;
    /*) [ -z "$service" ] || [ "$user" != 0 ] || fail "--data is for a service of a user. A system service keeps its data in /var/lib/workspace; to use another disk, mount it at /var/lib/private/workspace." ;;
    *) fail '--data needs a path that begins with /' ;;
  esac
  if [ "$user" = 0 ] && [ -z "$chosen" ] && [ "$prefix" = "${HOME:-}/.local" ] && [ -n "$(find "$HOME/." -prune ! -user 0 2>/dev/null)" ]; then
    fail "you are root, and $HOME belongs to another user, who could not change files you put there. Run this as that user, or with --system."
  fi
  [ -z "$settings" ] || [ -n "$service" ] || fail 'Settings apply only to a service: add --systemd, or pass them to workspace serve.'
}

# Where things are. The service is root's where root runs this, else the user's own.
name_places() {
  bin=$prefix/bin lib=$prefix/lib/workspace
  configuration=${XDG_CONFIG_HOME:-${HOME:-}/.config}
  data_home=${XDG_DATA_HOME:-${HOME:-}/.local/share}
  if [ "$user" = 0 ]; then
    unit=/etc/systemd/system/workspace.service etc=/etc/workspace
    as_service=$prefix/sbin/workspace-service
  else
    unit=$configuration/systemd/user/workspace.service etc=$configuration/workspace
    as_service=
  fi
}

manager() {
  if [ "$user" = 0 ]; then systemctl "$@"; else systemctl --user "$@"; fi
}
manager_name() { if [ "$user" = 0 ]; then printf 'systemctl'; else printf 'systemctl --user'; fi; }
systemd_runs() { command -v systemctl >/dev/null && manager show-environment >/dev/null 2>&1; }

# Whether the unit that is installed starts the program below this prefix.
has_unit() { [ -f "$unit" ] && grep -qxF "ExecStart=$bin/workspace serve" "$unit"; }

# Links are ours when they lead to what an archive installed, or to the launcher of a checkout, which may be gone.
is_our_link() {
  [ -L "$bin/workspace" ] || return 1
  leads_to=$(readlink "$bin/workspace")
  case $leads_to in
    ../lib/workspace/*/workspace) return 0 ;;
    /*/bin/workspace) [ ! -e "$leads_to" ] || [ -f "${leads_to%/bin/workspace}/tools/node.mjs" ] ;;
    *) return 1 ;;
  esac
}

# The version that an archive installed and the link leads to; nothing where there is none.
linked_version() {
  [ -L "$bin/workspace" ] || return 0
  case $(readlink "$bin/workspace") in
    ../lib/workspace/*/workspace) basename "$(dirname "$(readlink "$bin/workspace")")" ;;
  esac
}

# --- From an archive

# SHA256SUMS names every file, every file is there, nothing else is, and all of them are as they were.
verify() {
  (
    cd "$1"
    ! grep -qvE '^[0-9a-f]{64} [ *](\./)?[A-Za-z0-9_@+.,-]+(/[A-Za-z0-9_@+.,-]+)*$' SHA256SUMS || fail 'SHA256SUMS is damaged. Unpack the archive again.'
    ! grep -qE '(^|[ */])\.\.(/|$)' SHA256SUMS || fail 'SHA256SUMS names files outside of the archive. Do not use it.'
    named=$(sed -E 's/^[0-9a-f]{64} [ *](\.\/)?//' SHA256SUMS | sort)
    there=$(find . ! -type d ! -path ./SHA256SUMS | sed 's/^\.\///' | sort)
    [ -z "$(find . ! -type d ! -type f)" ] || fail "the archive contains files that are not plain files: $(find . ! -type d ! -type f | head -3 | tr '\n' ' ')"
    if [ "$named" != "$there" ]; then
      list=$(mktemp)
      printf '%s\n' "$named" >"$list"
      extra=$(printf '%s\n' "$there" | grep -vxF -f "$list" | head -5 | tr '\n' ' ' || true)
      printf '%s\n' "$there" >"$list"
      missing=$(printf '%s\n' "$named" | grep -vxF -f "$list" | head -5 | tr '\n' ' ' || true)
      rm -f "$list"
      fail "the archive is incomplete.${missing:+ Missing: $missing.}${extra:+ Not part of it: $extra.} Unpack it again into an empty folder."
    fi
    wrong=$(sha256 2>/dev/null | grep -v ': OK$' || true)
    [ -z "$wrong" ] || fail "files differ from what was released: $(printf %s "$wrong" | sed 's/: .*//' | tr '\n' ' '). Download the archive again."
  )
}

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum -c SHA256SUMS; else shasum -a 256 -c SHA256SUMS; fi
}

# What the first bytes of the program say about where it runs.
check_machine() {
  machine=$(uname -m)
  case $(od -An -tx1 -N4 "$1" | tr -d ' \n') in
    7f454c46)
      [ "$(uname -s)" = Linux ] || fail "this archive is for Linux, and this is $(uname -s)."
      case $(od -An -tx1 -j18 -N2 "$1" | tr -d ' \n') in 3e00) made=x86_64 ;; b700) made=aarch64 ;; *) made='another processor' ;; esac
      [ "$made" = "$machine" ] || fail "this archive is for $made, and this machine is $machine. Use the archive for $machine, or install from a checkout."
      check_glibc
      ;;
    cffaedfe) [ "$(uname -s)" = Darwin ] || fail "this archive is for macOS, and this is $(uname -s)." ;;
  esac
}

check_glibc() {
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || glibc=
  case $glibc in
    'glibc '*.*) ;;
    *) fail 'this program needs glibc 2.34 or newer, and this system has a different C library. Use a container, or a system such as Debian 12, Ubuntu 22.04 or RHEL 9.' ;;
  esac
  minor=${glibc#*.}
  [ "${glibc%%.*}" != 'glibc 2' ] || [ "${minor%%.*}" -ge 34 ] ||
    fail "this program needs glibc 2.34 or newer, and this system has ${glibc#glibc }. Use a container, or a system such as Debian 12, Ubuntu 22.04 or RHEL 9."
}

install_archive() {
  [ -n "$prefix" ] || fail 'HOME is not set. Use --prefix DIR.'
  [ -n "$link" ] || fail '--no-link is for a checkout.'
  verify "$here"
  check_machine "$here/workspace"
  if [ -e "$bin/workspace" ] || [ -L "$bin/workspace" ]; then
    is_our_link || fail "$bin/workspace is not part of this installation. Use --prefix DIR, or remove it."
  fi
  [ -z "$service" ] || check_service
  take_lock
  stage
  old=$(linked_version)
  if [ -n "$old" ] && [ -z "$downgrade" ] && is_older "$version" "$old"; then
    fail "version $old is installed, and $version is older: it cannot open a database that $old has upgraded. --downgrade installs it anyway; docs/install.md explains how to restore the data, too."
  fi
  settle_in
  if is_our_link && [ "$old" != "$version" ]; then back_up; fi
  if [ -n "$service" ] || has_unit; then write_service; fi
  switch_to "$version"
  [ "$old" = "$version" ] || clean_up
  say_done
}

take_lock() {
  mkdir -p "$lib" "$bin" 2>/dev/null || fail "$prefix is not writable. Use --prefix DIR, or run this as root with --system."
  [ -w "$lib" ] || fail "you cannot write to $lib."
  command -v flock >/dev/null || return 0
  exec 9>"$lib/.lock"
  flock -n 9 || fail "another installation into $lib is in progress."
  rm -rf "$lib"/.new-* # of installations that were cut short; with the lock, nobody else's
}

# Copies the archive beside its place and checks the copy, which nobody else changes any more.
stage() {
  staged=$lib/.new-$$
  trap 'rm -rf "$staged"' EXIT
  rm -rf "$staged"
  mkdir "$staged"
  cp -R "$here/." "$staged/"
  chmod -R u+rwX,go+rX,go-w "$staged"
  verify "$staged"
  version=$("$staged/workspace" --version) || fail 'the program does not start on this system, see above.'
  case $version in
    [0-9]*.[0-9]*.[0-9]*) ;;
    *) fail "the program does not print its version, but: $version" ;;
  esac
  case $version in *[!0-9A-Za-z.+-]*) fail "the program does not print its version, but: $version" ;; esac
  sync "$staged/workspace" 2>/dev/null || sync
}

# One rename for a new version. Of one that is there already, each file is replaced whole, so that what runs goes on running.
settle_in() {
  place=$lib/$version
  if [ ! -e "$place" ]; then
    mv "$staged" "$place"
    return
  fi
  (cd "$staged" && find . -type d) | while read -r folder; do mkdir -p "$place/$folder"; done
  (cd "$staged" && find . -type f) | while read -r file; do mv -f "$staged/$file" "$place/$file"; done
  (cd "$place" && find . ! -type d) | while read -r file; do
    [ "$file" = ./SHA256SUMS ] || grep -qE " [ *](\./)?$(printf %s "${file#./}" | sed 's/[.+]/\\&/g')\$" "$place/SHA256SUMS" || rm -f "$place/$file"
  done
  rm -rf "$staged"
}

# Whether the first version comes before the second (semver: numbers, then a pre-release before the release).
is_older() {
  awk -v a="$1" -v b="$2" 'BEGIN {
    split(a, x, /\+/); split(b, y, /\+/); a = x[1]; b = y[1]
    pa = index(a, "-") ? substr(a, index(a, "-") + 1) : ""; pb = index(b, "-") ? substr(b, index(b, "-") + 1) : ""
    sub(/-.*/, "", a); sub(/-.*/, "", b)
    split(a, x, "."); split(b, y, ".")
    for (i = 1; i <= 3; i++) if (x[i] + 0 != y[i] + 0) exit !(x[i] + 0 < y[i] + 0)
    if (pa == pb || pa == "") exit 1
    if (pb == "") exit 0
    n = split(pa, x, "."); m = split(pb, y, ".")
    for (i = 1; i <= n && i <= m; i++) if (x[i] != y[i]) {
      if (x[i] ~ /^[0-9]+$/ && y[i] ~ /^[0-9]+$/) exit !(x[i] + 0 < y[i] + 0)
      exit !(x[i] "" < y[i] "")
    }
    exit !(n < m)
  }'
}

# The folder of the data that this installation is for.
data_folder() {
  if [ "$user" = 0 ] && { has_unit || [ -n "$service" ]; }; then printf /var/lib/private/workspace; return; fi
  if [ -n "$data" ]; then printf %s "$data"; return; fi
  if has_unit && [ -f "$etc/workspace.env" ]; then
    kept=$(sed -n 's/^WORKSPACE_DATA=//p' "$etc/workspace.env" | sed "s/^\([\"']\)\(.*\)\1\$/\2/" | tail -1) # systemd takes quotes off, too
    if [ -n "$kept" ]; then printf %s "$kept"; return; fi
  fi
  printf %s "${WORKSPACE_DATA:-$data_home/workspace}"
}

# Runs the installed program on its data: that of a service of the system belongs to a user that only systemd knows.
run_on_data() {
  if [ "$user" = 0 ] && has_unit; then "$as_service" "$@"; else WORKSPACE_DATA=$(data_folder) "$bin/workspace" "$@"; fi
}

# Whether the data is in a PostgreSQL database, by the settings or by the search index that a server keeps beside it.
is_on_postgres() {
  [ -z "$(database_setting)" ] || return 0
  [ ! -f "$1/workspace.db" ] && [ -f "$1/search.db" ]
}

database_setting() {
  if has_unit && [ -f "$etc/workspace.env" ]; then
    sed -n 's/^WORKSPACE_DATABASE=//p' "$etc/workspace.env" | tail -1
  else
    printf %s "${WORKSPACE_DATABASE:-}"
  fi
}

back_up() {
  folder=$(data_folder)
  if [ -z "$backup" ]; then say 'No backup was made, as you asked.'; return; fi
  if is_on_postgres "$folder"; then
    fail 'the database is in PostgreSQL, so it was not backed up, and nothing was changed. Back it up with pg_dump and copy the data folder, then run this again with --no-backup.'
  fi
  if [ ! -f "$folder/workspace.db" ]; then say "There is no data in $folder yet, so there is nothing to back up."; return; fi
  say "Backing up $folder ..."
  run_on_data backup || fail 'the backup failed, see above. Nothing was changed. Fix that, or use --no-backup.'
}

# Leads the link to another version, and has the service follow. Where that one does not answer, the one before comes back.
switch_to() {
  before=
  ! is_our_link || before=$(readlink "$bin/workspace")
  copies=$(copies_before) earlier=$(previous_version)
  [ -z "$old" ] || [ "$old" = "$1" ] || remember "$old"
  point_to "../lib/workspace/$1/workspace"
  if ! has_unit; then return; fi
  if ! systemd_runs; then
    say 'systemd is not running here, so the service was not started. When it is:'
    say "  $(manager_name) daemon-reload && $(manager_name) enable --now workspace"
    return
  fi
  manager daemon-reload
  if [ -n "$service" ]; then
    manager enable --quiet workspace
  elif ! manager is-active --quiet workspace; then
    say "The service is not running and was not started. To start it: $(manager_name) start workspace"
    return
  fi
  say 'Starting the service ...'
  if manager restart workspace; then
    say 'It answers.'
    return
  fi
  put_back "$1"
}

# The link is replaced by a rename: there is one at any moment.
point_to() {
  ln -sf "$1" "$bin/.workspace-new"
  mv -f "$bin/.workspace-new" "$bin/workspace"
}

# Copies that a server makes of its database before it brings it to a new schema, each with the number of its file: an earlier one may have
# had the same name.
copies_before() { find "$(data_folder)" -maxdepth 1 -name 'workspace.db-before-*' ! -name '*[!0-9]' -exec ls -di {} + 2>/dev/null | sed 's/^ *//'; }

put_back() {
  manager stop workspace || true # what does not answer may not end well, either
  why="version $1 does not answer; $(if [ "$user" = 0 ]; then printf 'journalctl'; else printf 'journalctl --user'; fi) -u workspace says why."
  if [ -z "$before" ] || [ "$before" = "../lib/workspace/$1/workspace" ]; then fail "$why"; fi
  point_to "$before"
  remember "$earlier"
  [ -z "$old" ] || write_unit "$old"
  put_database_back "$1"
  manager daemon-reload
  manager reset-failed workspace || true # it may have been given up already, or not
  if manager restart workspace; then
    fail "$why The previous version was restored and answers. Your data is unchanged."
  fi
  fail "$why The previous version was restored, but does not answer either. The backup named above has your data."
}

# The new version brought the database to its schema before it failed: what it was before lies beside it. Root touches nothing in the
# folder of a service itself: links that the service left there could lead anywhere.
put_database_back() {
  made=$(copies_before | grep -vxF "${copies:-none}" | sed -n 's/.*\/\(workspace\.db-before-[0-9]*\)$/\1/p' | head -1)
  [ -n "$made" ] || return 0
  # shellcheck disable=SC2016 # these are names of the inner shell
  (
    cd "$(data_folder)"
    as_owner_here sh -euc '
      made=$1 kept=$2
      rm -f workspace.db-whole "$kept" "$kept-wal" "$kept-shm"
      for ending in -wal -shm; do
        [ ! -f "workspace.db$ending" ] || mv -f "workspace.db$ending" "$kept$ending"
      done
      ln workspace.db "$kept" || cp -p workspace.db "$kept"
      mv -f "$made" workspace.db # one rename: there is a database at any moment
    ' sh "$made" "workspace.db-of-$1"
  ) || fail "$why The previous version was restored, but not the database, see above: docs/install.md explains how (Going back)."
  say "The database had been upgraded to version $1; that copy is kept as $(data_folder)/workspace.db-of-$1, and the previous one is back in place."
}

# Runs a program as the one to whom this folder belongs: only systemd knows a name of the user of its service.
as_owner_here() {
  owner=$(stat -c %u .) group=$(stat -c %g .)
  if [ "$owner" = "$user" ]; then "$@"; else setpriv --reuid "$owner" --regid "$group" --clear-groups --no-new-privs "$@"; fi
}

# Notes which version was there before the one that is in use; none, where there was none.
remember() {
  if [ -z "$1" ]; then rm -f "$lib/previous"; return; fi
  printf '%s\n' "$1" >"$lib/.previous"
  mv -f "$lib/.previous" "$lib/previous"
}

previous_version() { if [ -f "$lib/previous" ]; then cat "$lib/previous"; fi; }

# The present version stays, and the one before; older ones go.
clean_up() {
  keep=$(previous_version)
  for folder in "$lib"/[0-9]*; do
    [ -f "$folder/SHA256SUMS" ] || continue
    case ${folder##*/} in "$version" | "$keep") ;; *) rm -rf "$folder" ;; esac
  done
}

say_done() {
  say "Workspace $version is installed in $lib/$version."
  name_command
  if has_unit; then say_next_service; return; fi
  [ -z "$old" ] || [ ! -f "$(data_folder)/server.json" ] || say "The running server keeps using version $old until you restart it."
  say_next
}

# --- As a service

check_service() {
  case $(uname -s) in Linux) ;; *) fail '--systemd is for Linux.' ;; esac
  [ "$user" != 0 ] || case $prefix/ in
    /home/* | /root/* | /run/user/*) fail "a system service cannot read $prefix. Omit --prefix, or use another folder." ;;
  esac
  case $prefix in *[!A-Za-z0-9._/@+-]*) fail "a service cannot be started from $prefix: use plain letters, digits and . _ @ + - in the path." ;; esac
  [ -n "${HOME:-}" ] || [ "$user" = 0 ] || fail 'HOME is not set.'
}

write_service() {
  mkdir -p "$etc" "$(dirname "$unit")"
  write_settings
  if [ "$user" = 0 ]; then
    chmod 750 "$etc"
    make_master_key
    mkdir -p "$prefix/sbin"
  fi
  write_unit "$version"
  say "Wrote $unit and $etc/workspace.env."
}

# The unit of a version, and for root the command that works on the data of the service.
write_unit() {
  from=$lib/$1/packaging/systemd
  if [ "$user" = 0 ]; then
    fill_in "$from/workspace.service" "$unit" 644
    fill_in "$from/workspace-service" "$as_service" 755
  else
    fill_in "$from/user/workspace.service" "$unit" 644
  fi
}

fill_in() {
  sed "s|^ExecStart=.*|ExecStart=$bin/workspace serve|; s|/usr/local/bin/workspace|$bin/workspace|g" "$1" >"$2.new"
  chmod "$3" "$2.new"
  mv -f "$2.new" "$2"
}

# What was given replaces the line of the same name; all else in the file stays.
write_settings() {
  file=$etc/workspace.env
  (
    umask 027
    if [ -f "$file" ]; then cat "$file"; else
      printf '# Settings of workspace.service, one NAME=value a line; workspace serve --help-all lists them. After a change: %s restart workspace\n' "$(manager_name)"
    fi >"$file.new"
    printf %s "$settings" | while IFS= read -r line; do
      grep -v "^${line%%=*}=" "$file.new" >"$file.next" || true # empty when that was its only line
      printf '%s\n' "$line" >>"$file.next"
      mv -f "$file.next" "$file.new"
    done
    chmod 640 "$file.new"
    mv -f "$file.new" "$file"
  )
}

# Outside of the data, for root's eyes alone; systemd hands it to the server.
make_master_key() {
  [ ! -f "$etc/master.key" ] || return 0
  (
    umask 077
    {
      printf '# Master key of Workspace: opens the secrets in its database. Keep a copy, apart from the backups.\n'
      head -c 32 /dev/urandom | base64
    } >"$etc/master.key.new"
    mv -f "$etc/master.key.new" "$etc/master.key"
  )
  say "Created the master key $etc/master.key. Keep a copy of it, apart from the backups."
}

say_next_service() {
  if [ "$user" = 0 ]; then
    cat <<TEXT

Next:
  journalctl -u workspace -o cat     what the server says; the first start prints how to sign in as the administrator
  $as_service users list     this and every other command on the data of the service
  $etc/workspace.env     its settings; then: systemctl restart workspace
TEXT
  else
    cat <<TEXT

Next:
  journalctl --user -u workspace -o cat     what the server says; the first start prints how to sign in as the administrator
  $etc/workspace.env     its settings; then: systemctl --user restart workspace
  loginctl enable-linger     lets it run while you are not signed in
TEXT
  fi
}

# --- Back, and away

roll_back() {
  [ -n "$prefix" ] || fail 'HOME is not set. Use --prefix DIR.'
  old=$(linked_version)
  version=$(previous_version)
  [ -n "$old" ] || fail "no version from an archive is installed below $prefix."
  [ -x "$lib/${version:-none}/workspace" ] || fail "there is no version before $old in $lib."
  take_lock
  back_up
  if has_unit; then write_unit "$version"; fi
  switch_to "$version"
  say "Workspace $version is in use again. If it says that the database is newer, its data has to go back, too: docs/install.md."
}

uninstall() {
  [ -n "$prefix" ] || fail 'HOME is not set. Use --prefix DIR.'
  folder=$(data_folder) removed=''
  if has_unit; then
    if systemd_runs; then manager disable --now --quiet workspace; fi
    rm -f "$unit"
    [ -z "$as_service" ] || rm -f "$as_service"
    if systemd_runs; then manager daemon-reload; fi
    removed="$unit "
  fi
  if is_our_link; then rm "$bin/workspace"; removed="$removed$bin/workspace "; fi
  for installed in "$lib"/[0-9]* "$lib"/.new-*; do
    case $installed in */.new-*) [ -d "$installed" ] ;; *) [ -f "$installed/SHA256SUMS" ] ;; esac || continue
    rm -rf "$installed"
    removed="$removed$installed "
  done
  rm -f "$lib/previous" "$lib/.lock"
  if [ -d "$lib" ]; then rmdir "$lib" || say "$lib was not removed: there is something else in it."; fi
  if [ -z "$removed" ]; then say "There is no link at $bin/workspace, nothing to remove."; return; fi
  say "Removed $removed"
  say 'What stays:'
  say "  $folder     your data, with the backups in it"
  [ ! -d "$etc" ] || say "  $etc     settings and the master key"
  [ ! -f "$here/package.json" ] || say "  $here     this checkout"
}

# --- From a checkout

install_checkout() {
  needed='Install Node 24 or newer, which brings npm (https://nodejs.org/en/download, or your package manager), and run this again.'
  command -v node >/dev/null || fail "node was not found. $needed"
  command -v npm >/dev/null || fail "npm was not found. $needed"
  install_dependencies
  node tools/node.mjs --version >/dev/null || exit 1
  if [ -n "$service" ]; then build_release; fi
  build
  prune_checkout
  version=$(./bin/workspace --version) || fail './bin/workspace does not start, see above.'
  back_up_before_upgrade
  say "Workspace $version is installed in $here."
  command=$here/bin/workspace
  if [ -n "$link" ]; then
    if link_checkout; then name_command; elif [ -n "$chosen" ]; then exit 1; fi # asked for by name; without, it runs from here as well
  fi
  say_next
}

# The sources are new already, and so is the program: what is old is the data, until the server starts.
back_up_before_upgrade() {
  folder=$(data_folder)
  if [ -z "$backup" ] || { [ ! -f "$folder/workspace.db" ] && ! is_on_postgres "$folder"; }; then return; fi
  if is_on_postgres "$folder" && [ -z "${WORKSPACE_DATABASE:-}" ]; then
    say "The data of $folder is in PostgreSQL. Back it up with pg_dump before you start the new version."
    return
  fi
  say "Checking whether $folder is to be backed up ..."
  WORKSPACE_DATA=$folder ./bin/workspace backup --before-upgrade ||
    fail 'the data was not backed up, see above. The program is built, and the data is unchanged: do not start the server before you have a backup. Fix that and run this again, or use --no-backup.'
}

install_dependencies() {
  # npm writes node_modules/.package-lock.json last, so it is missing after an install that was cut short.
  if [ -f node_modules/.package-lock.json ] && has_what_it_needs && [ -z "$(find package-lock.json -newer node_modules/.package-lock.json)" ]; then
    say 'Dependencies are installed already.'
    return
  fi
  say 'Installing dependencies ...'
  npm ci --include=dev --include=optional --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error ||
    fail 'npm could not install the dependencies, see above.'
  : >node_modules/.by-install
}

# Build tools are needed to build; after that, prune_checkout may have removed them.
has_what_it_needs() {
  [ -d node_modules/vite ] || { is_marked pruned && [ -z "$service" ] && is_built; }
}

# Whether node_modules is as this script left it: npm writes .package-lock.json at every change.
is_marked() {
  [ -f "node_modules/.$1" ] && [ -z "$(find node_modules/.package-lock.json -newer "node_modules/.$1")" ]
}

# Removes the packages that only building needs, unless somebody else installed them (npm ci), who will want them for tests.
# The stamp of the build goes with node_modules, so it is written again.
prune_checkout() {
  [ -z "$keep_dev" ] && is_marked by-install && ! is_marked pruned || return 0
  is_built || return 0
  say 'Removing the packages that only building needs ...'
  npm prune --omit=dev --include=optional --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null ||
    fail 'npm could not remove the packages that only building needs, see above. With --keep-dev they stay.'
  prune_encoder
  rm -rf tools/runtime/node_modules/node-*/include tools/runtime/node_modules/node-*/share
  node --input-type=module --eval 'import { writeFileSync } from "node:fs"; import { stampFile, stampOfSources } from "./tools/stamp.mjs"; writeFileSync(stampFile, stampOfSources())'
  : >node_modules/.by-install
  : >node_modules/.pruned
}

# The runtime of the search encoder comes for all systems together (288 MB); one of them is needed.
prune_encoder() {
  [ -d node_modules/onnxruntime-node/bin ] || return 0
  system=$(node -p '`${process.platform}/${process.arch}`')
  find node_modules/onnxruntime-node/bin -mindepth 3 -maxdepth 3 -type d ! -path "*/$system" -exec rm -rf {} +
}

is_built() {
  [ -f dist/web/index.html ] &&
    node --input-type=module --eval 'import { isBuilt } from "./tools/stamp.mjs"; process.exitCode = isBuilt() ? 0 : 1'
}

build() {
  if is_built; then
    say 'The server and its web app are built already.'
    return
  fi
  say 'Building the server and its web app ...'
  node tools/node.mjs tools/build.mjs || fail 'the build failed, see above.'
}

# A service gets the one file that an archive has: it must not depend on a folder in somebody's home.
build_release() {
  [ "$action" = install ] || return 0
  say 'Building the release ...'
  npm run --silent build || fail 'the build failed, see above.'
  version=$(node --print 'require("./package.json").version')
  for unpacked in dist/release/workspace-"$version"-*/; do
    [ -x "$unpacked/install.sh" ] || continue
    here=$here/${unpacked%/}
    install_archive
    exit 0
  done
  fail 'npm run build left no release in dist/release.'
}

link_checkout() {
  [ -n "$prefix" ] || { say 'No link was made: HOME is not set. Use --prefix DIR.' >&2; return 1; }
  if [ -e "$bin/workspace" ] && ! is_our_link; then
    say "No link was made: $bin/workspace is not part of this installation. Use --prefix DIR, or remove it." >&2
    return 1
  fi
  mkdir -p "$bin" && ln -sf "$here/bin/workspace" "$bin/workspace"
}

name_command() {
  say "Linked $bin/workspace."
  case :$PATH: in
    *":$bin:"*) command=workspace ;;
    *)
      command=$bin/workspace
      say "$bin is not on your PATH. To type just \`workspace\`, run this line, and add it to ~/.profile to keep it:"
      say "  export PATH=\"$bin:\$PATH\""
      ;;
  esac
}

say_next() {
  cat <<TEXT

Next:
  $command serve          start it; the first start prints a setup link for the administrator
  $command keys create    create an API key: --user their@address --name what-it-is-for
Then connect your assistant to the address that serve prints, plus /mcp, with the key as bearer token.
TEXT
}

# Read whole before anything is done: an installation may replace this very file.
main() {
  read_options "$@"
  cd "$(dirname "$0")"
  here=$(pwd -P)
  name_places
  umask 022
  case $action in
    uninstall) uninstall ;;
    rollback) roll_back ;;
    *) if [ -f SHA256SUMS ] && [ -f workspace ]; then install_archive; else install_checkout; fi ;;
  esac
}

main "$@"; exit
