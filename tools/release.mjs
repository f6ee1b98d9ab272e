// `npm run build`: creates dist/, and the release in dist/release: an archive with the executable and its files, its
// bill of materials, and checksums. The output is reproducible on every machine with the lockfile's Node, which is also
// the embedded one. `--no-archive` skips packing.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { create } from 'tar'
import product from '../package.json' with { type: 'json' }
import { billOf, noticesOf, packagesOf } from './components.mjs'
import { addonFiles, buildExecutable } from './executable.mjs'
import { fail, lockedNode } from './node.mjs'
import { releaseStampFile, stampFile } from './stamp.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const name = `workspace-${product.version}-${process.platform}-${process.arch}`
const released = join(root, 'dist/release')
const staging = join(root, 'dist/release.new')
const folder = join(staging, name)
const program = process.platform === 'win32' ? 'workspace.exe' : 'workspace'
const beside = [
  'install.sh',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs',
  'packaging',
]
const when = new Date('2026-01-01T00:00:00Z') // of every file in the archive

const node = lockedNode()
if (realpathSync(node) !== realpathSync(process.execPath))
  process.exit(spawnSync(node, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1)
const isPacked = !process.argv.includes('--no-archive')
if (isPacked && spawnSync('xz', ['--version']).error)
  fail(
    'The archive is packed by xz, which is not there. Install it (Debian: apt-get install xz-utils), or leave the archive out: npm run build -- --no-archive',
  )

const { browserFiles } = await import('./build.mjs')
const { writeReferencePages } = await import('./reference.ts')
rmSync(staging, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const metafile = await buildExecutable(node, join(folder, program))
const packages = packagesOf([
  ...Object.keys(metafile.inputs),
  ...addonFiles(),
  ...browserFiles,
  'node_modules/swagger-ui-dist/',
])
for (const file of beside) cpSync(join(root, file), join(folder, file), { recursive: true })
await writeReferencePages(join(folder, 'docs/reference'))
writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(packages, node))
writeFileSync(join(folder, 'SHA256SUMS'), sumsOf(folder, filesIn(folder)))
settleModes()
writeFileSync(join(staging, `${name}.cdx.json`), await billOf(packages, node))
if (isPacked) await pack()
writeFileSync(
  join(staging, 'SHA256SUMS'),
  sumsOf(
    staging,
    readdirSync(staging, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .sort(),
  ),
)
rmSync(releaseStampFile, { force: true })
rmSync(released, { recursive: true, force: true })
renameSync(staging, released)
copyFileSync(stampFile, releaseStampFile)

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

/** Normalizes file modes, regardless of the umask of the checkout. */
function settleModes() {
  for (const file of filesIn(folder))
    chmodSync(join(folder, file), file === program || file.endsWith('.sh') ? 0o755 : 0o644)
}

/** Checksums in the format of `sha256sum` and `sha256sum --check`. */
function sumsOf(folder, files) {
  return files
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('')
}

async function pack() {
  const tar = join(staging, `${name}.tar`)
  await create(
    { file: tar, cwd: staging, portable: true, mtime: when, noDirRecurse: true },
    filesIn(folder).map((file) => `${name}/${file}`),
  )
  const { status } = spawnSync('xz', ['--threads=2', '--block-size=24MiB', '-6', tar], {
    stdio: 'inherit',
  })
  if (status !== 0) fail('The archive could not be packed, see above.')
}
