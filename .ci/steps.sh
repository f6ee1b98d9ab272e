# shellcheck shell=bash
# Sourced by run and full: the steps that both have, and the table of what each step took.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

packages=(strace libfaketime chromium-headless-shell dovecot-imapd dovecot-lmtpd postfix postgresql radicale openssl nginx-light caddy systemd shellcheck busybox python3 curl jq xz-utils) # Debian packages that tests and the build need

table=()
failed_steps=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT
rm -f test-results/unstable.json

# Runs a command as a step of a name. Its status is that of the command.
step() {
  local name=$1 start=$SECONDS status=0
  shift
  printf '\n== %s\n' "$name"
  "$@" 2>&1 | tee "$output" || status=${PIPESTATUS[0]}
  local seconds=$((SECONDS - start)) outcome=passed
  if [[ $status != 0 ]]; then
    outcome="FAILED ($status)"
    failed_steps=$((failed_steps + 1))
  fi
  printf '== %s: %s after %d s\n' "$name" "$outcome" "$seconds"
  table+=("$(printf '%-20s %7s %7s %8s  %s' "$name" "$(total tests)" "$(total fail)" "$((seconds / 60)):$(printf %02d $((seconds % 60)))" "$outcome")")
  return "$status"
}

# The sum of a count that Node's test runner prints at the end of each of its runs.
total() {
  awk -v name="$1" '$1 == "ℹ" && $2 == name { sum += $3; found = 1 } END { print found ? sum : "" }' "$output"
}

# Refuses subjects of more than 72 characters among the commits that are not on origin/main, or of the last one.
subjects() {
  git rev-parse -q --verify HEAD >/dev/null || { echo 'This is no repository: its commits are not checked.'; return 0; }
  local base long
  base=$(git merge-base HEAD origin/main 2>/dev/null) && [[ $base != "$(git rev-parse HEAD)" ]] || base=$(git rev-parse -q --verify HEAD~1) || return 0
  long=$(git log --no-merges --format='%h %s' "$base..HEAD" | awk 'length($0) - length($1) - 1 > 72')
  [[ -z $long ]] || { printf 'Subjects have at most 72 characters (CONTRIBUTING.md, "Commits"):\n%s\n' "$long"; return 1; }
}

# Prints the table, then the unstable tests, which a defect report needs.
summary() {
  printf '\n%-20s %7s %7s %8s  %s\n' step tests failed m:ss outcome
  printf '%s\n' "${table[@]}"
  printf '%-20s %7s %7s %8s\n' total '' '' "$((SECONDS / 60)):$(printf %02d $((SECONDS % 60)))"
  # shellcheck disable=SC2016
  [[ ! -e test-results/unstable.json ]] || node -e '
    for (const { file, test, message } of JSON.parse(fs.readFileSync("test-results/unstable.json", "utf8")))
      console.log(`unstable: ${file}, ${test}, ${message}`)'
}

install_packages() {
  local root=()
  [[ $EUID == 0 ]] || root=(sudo)
  keep_stopped "${root[@]}"
  "${root[@]}" apt-get update -qq &&
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
}

# Tests start their own mail and calendar servers: the installation starts none.
keep_stopped() {
  [[ -e /usr/sbin/policy-rc.d ]] || printf '#!/bin/sh\nexit 101\n' | "$@" install -m 755 /dev/stdin /usr/sbin/policy-rc.d
}

versions() {
  echo "system $(uname -srm)" && echo "node $(node --version)" && echo "npm $(npm --version)" && echo "processors $(nproc)"
}

# The release, and whether its checksums are right.
build() {
  npm run build && sums dist/release && sums dist/release/workspace-*-*-*/
}

sums() {
  (cd "$1" && sha256sum --check --quiet --strict SHA256SUMS)
}

# Everything that the other steps need. Each step depends on those before it.
prepare() {
  step 'packages' install_packages &&
    step 'versions' versions &&
    step 'dependencies' npm ci --no-audit --no-fund --no-update-notifier &&
    step 'runtime' node tools/node.mjs --print '"tests run under Node " + process.version + ", SQLite addon API " + process.versions.napi'
}
