#!/bin/sh
# Makes this checkout ready to run and links `workspace` into a folder of your PATH. Run it again after an update.
set -eu

usage() {
  cat <<'TEXT'
Usage: ./install.sh [--prefix DIR] [--no-link]
       ./install.sh --uninstall [--prefix DIR]

Installs the dependencies into this folder, fetches Node 24 into it if yours is older, builds the server and its
web app, and links `workspace` into DIR/bin. It needs node and npm, never root, and may be run again at any time.

  --prefix DIR   link into DIR/bin (default: $PREFIX, else ~/.local)
  --no-link      do not link; start it as ./bin/workspace
  --uninstall    remove the link; this folder and your data stay
  --help         show this text
TEXT
}

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

prefix=${PREFIX:-${HOME:+$HOME/.local}}
chosen= link=yes uninstall=
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) [ $# -ge 2 ] || fail '--prefix needs a folder'; prefix=$2 chosen=yes; shift ;;
    --prefix=*) prefix=${1#--prefix=} chosen=yes ;;
    --no-link) link= ;;
    --uninstall) uninstall=yes ;;
    --help | -h) usage; exit 0 ;;
    *) usage >&2; fail "unknown option $1" ;;
  esac
  shift
done
case $prefix in
  '') [ -z "$chosen" ] || fail '--prefix needs a folder' ;;
  /*) ;;
  *) prefix=$PWD/$prefix ;; # before the cd below changes what it means
esac

cd "$(dirname "$0")"
here=$(pwd -P)
bin=$prefix/bin

# Links are ours when they lead to some checkout's launcher: this one, or one that was moved or replaced.
is_our_link() {
  [ -L "$bin/workspace" ] || return 1
  case $(readlink "$bin/workspace") in */bin/workspace) return 0 ;; *) return 1 ;; esac
}

if [ -n "$uninstall" ]; then
  if is_our_link; then
    rm "$bin/workspace"
    say "Removed $bin/workspace. Your data and $here are untouched."
  else
    say "There is no link at $bin/workspace, nothing to remove."
  fi
  exit 0
fi

needed='Install Node 24 or newer, which brings npm (https://nodejs.org/en/download, or your package manager), and run this again.'
command -v node >/dev/null || fail "node was not found. $needed"
command -v npm >/dev/null || fail "npm was not found. $needed"

# npm writes node_modules/.package-lock.json last, so it is missing after an install that was cut short.
if [ -f node_modules/.package-lock.json ] && [ -d node_modules/vite ] && [ -z "$(find package-lock.json -newer node_modules/.package-lock.json)" ]; then
  say 'Dependencies are installed already.'
else
  say 'Installing dependencies ...'
  npm ci --include=dev --include=optional --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error ||
    fail 'npm could not install the dependencies, see above.'
fi

node tools/node.mjs --version >/dev/null || exit 1

is_built() {
  [ -f dist/web/index.html ] &&
    node --input-type=module --eval 'import { isBuilt } from "./tools/stamp.mjs"; process.exitCode = isBuilt() ? 0 : 1'
}
if is_built; then
  say 'The server and its web app are built already.'
else
  say 'Building the server and its web app ...'
  node tools/node.mjs tools/build.mjs || fail 'the build failed, see above.'
fi

version=$(./bin/workspace --version) || fail './bin/workspace does not start, see above.'
say "Workspace $version is installed in $here."

make_link() {
  [ -n "$prefix" ] || { say 'No link was made: HOME is not set. Give --prefix DIR.' >&2; return 1; }
  if [ -e "$bin/workspace" ] && ! is_our_link; then
    say "No link was made: $bin/workspace is something else. Give --prefix DIR, or remove it." >&2
    return 1
  fi
  mkdir -p "$bin" && ln -sf "$here/bin/workspace" "$bin/workspace"
}

command=$here/bin/workspace
if [ -n "$link" ]; then
  if make_link; then
    say "Linked $bin/workspace."
    case :$PATH: in
      *":$bin:"*) command=workspace ;;
      *)
        command=$bin/workspace
        say "$bin is not on your PATH. To type just \`workspace\`, add this line to ~/.profile and sign in again:"
        say "  export PATH=\"$bin:\$PATH\""
        ;;
    esac
  elif [ -n "$chosen" ]; then
    exit 1 # asked for by name; without, the workspace runs from here as well
  fi
fi

cat <<TEXT

Next:
  $command serve          start it; the first start prints how to sign in as the administrator
  $command keys create    make another key: --user their@address --name what-it-is-for
Then connect the assistant to the address that serve prints, with /mcp appended and the key as bearer token.
TEXT
