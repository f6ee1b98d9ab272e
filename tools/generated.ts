// Generates the ignored files operations.ts and item-paths.ts of src/web/api if one is missing or out of date. `npm run
// check`, `npm run web` and builds run it first.

import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const GENERATED = ['operations.ts', 'item-paths.ts'].map((name) => `${ROOT}src/web/api/${name}`)
const SOURCES = ['src/**/*.ts', 'tools/web-types.ts', 'package-lock.json']
const UNRELATED = [
  'src/web/**',
  'src/apps/**',
  'src/web-tests/**',
  'src/testing/**',
  'src/**/*.test.ts',
]

/** Returns whether the files had to be generated. */
export function refreshWebTypes(): boolean {
  const madeAt = Math.min(...GENERATED.map(modifiedAt))
  const sources = globSync(SOURCES, { cwd: ROOT, exclude: UNRELATED })
  if (sources.every((file) => modifiedAt(`${ROOT}${file}`) < madeAt)) return false
  const { status } = spawnSync(process.execPath, [`${ROOT}tools/web-types.ts`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error('The types of the web app could not be made.')
  return true
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

if (process.argv[1] === import.meta.filename) refreshWebTypes()
