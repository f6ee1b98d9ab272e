// Checks whether dist/ was built from the current sources. Must run on Node 18, like bin/workspace. An outdated build
// must never hide an edit, so it is used only if its stamp, written last, matches the sources: the names, sizes and
// times of all inputs. Moving, copying or restoring files may therefore invalidate a good build, which only costs some
// startup time. A release without src/ has nothing to compare with.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = [
  'src',
  'schema.sql',
  'package.json',
  'tools/build.mjs',
  'tools/bundling.mjs',
  'tools/web-build.mjs',
  'tools/web-chunks.mjs',
  'tools/apps-build.mjs',
  'tools/mcpb.ts',
  'tools/icon.ts',
  'tools/release.mjs',
  'tools/executable.mjs',
  'tools/starting',
  'tools/components.mjs',
  'node_modules/.package-lock.json',
] // npm writes the last one at every change

const generated = ['src/web/api/operations.ts', 'src/web/api/item-paths.ts'] // made from the others

export const stampFile = join(root, 'dist/built-from')

/** Stamp file of a release, with the stamp of its build. */
export const releaseStampFile = join(root, 'dist/release.from')

/** Stamp of a build of the current sources. */
export function stampOfSources() {
  const hash = createHash('sha256')
  for (const name of sources) add(hash, name)
  return hash.digest('hex')
}

/** True if the command line should run from dist/. */
export function isBuilt() {
  if (!existsSync(stampFile)) return false
  return !existsSync(join(root, 'src')) || readFileSync(stampFile, 'utf8') === stampOfSources()
}

/** True if dist/release matches the current sources. */
export function isReleased() {
  return existsSync(releaseStampFile) && readFileSync(releaseStampFile, 'utf8') === stampOfSources()
}

function add(hash, name) {
  const { mtimeMs, size, isFolder } = lookAt(name)
  if (isFolder)
    for (const inside of readdirSync(join(root, name)).sort()) add(hash, `${name}/${inside}`)
  else if (!name.endsWith('.test.ts') && !generated.includes(name))
    hash.update(`${name} ${size} ${mtimeMs}\n`)
}

/** A missing file differs from an existing one. */
function lookAt(name) {
  const stats = statSync(join(root, name), { throwIfNoEntry: false })
  return { mtimeMs: stats?.mtimeMs, size: stats?.size, isFolder: stats?.isDirectory() ?? false }
}
