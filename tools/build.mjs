// `npm run build`: bundles the server into dist/, with its run-time files in dist/assets, and the files published with
// it: the bundle for desktop programs and the description for the MCP registry. The output is reproducible.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { assetNames, assetUrl } from '../src/db/assets.ts'
import { buildApps } from './apps-build.mjs'
import { finished, forNode, native, small, threads } from './bundling.mjs'
import { description, desktopBundle } from './mcpb.ts'
import { stampFile, stampOfSources } from './stamp.mjs'
import { buildWeb } from './web-build.mjs'

const root = new URL('..', import.meta.url)
const dist = new URL('dist/', root)
const copies = new URL('assets/', dist)

const stamp = stampOfSources() // before anything is read: an edit made meanwhile leaves a build that counts as stale
rmSync(stampFile, { force: true }) // first: who starts meanwhile takes the sources, not half a build
for (const name of existsSync(dist) ? readdirSync(dist) : [])
  if (!name.startsWith('release')) rmSync(new URL(name, dist), { recursive: true, force: true })
await build({
  ...forNode,
  absWorkingDir: fileURLToPath(root),
  entryPoints: { cli: 'src/cli/main.ts', ...threads },
  outdir: fileURLToPath(dist),
  outExtension: { '.js': '.mjs' },
  chunkNames: '[name]-[hash]', // beside the entry, where src/db/assets.ts expects to be
  external: native,
  ...small,
})
for (const name of readdirSync(dist).filter((name) => name.endsWith('.mjs')))
  writeFileSync(new URL(name, dist), finished(readFileSync(new URL(name, dist), 'utf8')))

/** Source files of the web app and the views for MCP hosts. */
export const browserFiles = [...(await buildWeb()), ...(await buildApps())]
mkdirSync(copies, { recursive: true })
checkModel()
for (const name of assetNames) cpSync(assetUrl(name), new URL(name, copies), { recursive: true })
const bundle = await desktopBundle()
writeFileSync(new URL('workspace.mcpb', dist), bundle)
writeFileSync(new URL('server.json', dist), description(bundle))
writeFileSync(stampFile, stamp)

/** The model of the search encoder must be what its checksums say: it does not fail by itself if a byte is wrong. */
function checkModel() {
  const folder = assetUrl('encoder/')
  for (const line of readFileSync(new URL('SHA256SUMS', folder), 'utf8').trim().split('\n')) {
    const [sum, name] = line.split('  ')
    const actual = createHash('sha256')
      .update(readFileSync(new URL(name, folder)))
      .digest('hex')
    if (actual !== sum)
      throw new Error(`${name} of the search encoder is not what SHA256SUMS says.`)
  }
}
