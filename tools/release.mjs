// The release, in dist/release: an archive with the executable and what belongs to it, its bill of materials and the checksums. The same
// sources give the same bytes, wherever they are built: with the Node of the lockfile, which is also the one inside.

import { spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import product from '../package.json' with { type: 'json' }
import { buildExecutable } from './executable.mjs'
import { lockedNode } from './node.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const release = join(root, 'dist/release')
const name = `workspace-${product.version}-${process.platform}-${process.arch}`

const node = lockedNode()
if (realpathSync(node) !== realpathSync(process.execPath)) process.exit(spawnSync(node, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1)

await import('./build.mjs')
rmSync(release, { recursive: true, force: true })
mkdirSync(join(release, name), { recursive: true })
await buildExecutable(node, join(release, name, 'workspace'))
