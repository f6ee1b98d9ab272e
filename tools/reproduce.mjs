// Checks that the release is reproducible: builds it again in a folder with another name, and compares the result,
// except for the packing, with dist/release. node tools/node.mjs tools/reproduce.mjs

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail } from './node.mjs'
import { isReleased } from './stamp.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
if (!isReleased())
  fail('dist/release is not there, or not of these sources. Run npm run build first.')

const elsewhere = mkdtempSync(join(tmpdir(), 'workspace-built-again-'))
let sums
try {
  for (const name of readdirSync(root).filter(
    (name) => !/^(\.git|dist|test-results|\.tests)$/.test(name),
  ))
    cpSync(join(root, name), join(elsewhere, name), { recursive: true, verbatimSymlinks: true })
  const { status } = spawnSync(
    process.execPath,
    [join(elsewhere, 'tools/release.mjs'), '--no-archive'],
    { cwd: elsewhere, stdio: 'inherit', env: { ...process.env, TZ: 'Asia/Tokyo', LANG: 'C' } },
  )
  if (status !== 0) throw new Error('The second build failed, see above.')
  sums = [root, elsewhere].map(sumsIn)
} finally {
  rmSync(elsewhere, { recursive: true, force: true })
}
const [one, other] = sums
const different = Object.keys({ ...one, ...other }).filter((name) => one[name] !== other[name])
if (different.length > 0) fail(`Built twice, these are not the same: ${different.join(', ')}`)
process.stdout.write(`Built twice, all ${Object.keys(one).length} files are the same.\n`)

/** Checksums of the files in a release, by name. */
function sumsIn(folder) {
  const release = join(folder, 'dist/release')
  const [inside] = readdirSync(release, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  const lines = [join(release, 'SHA256SUMS'), join(release, inside.name, 'SHA256SUMS')].flatMap(
    (file) => readFileSync(file, 'utf8').split('\n'),
  )
  return Object.fromEntries(
    lines
      .filter((line) => line !== '' && !line.endsWith('.tar.xz'))
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  )
}
