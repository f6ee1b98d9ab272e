// Bundles every test with all that it loads into .tests/, where what several tests load is there once: a test then loads some hundred
// modules and no longer 1,700, which halves the time of most. What a module knows of its own place stays true, so that it finds the
// files beside it, and the threads and programs that it starts run from the sources.

import { globSync, readFileSync, rmSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { forNode, native } from './bundling.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const outdir = `${root}.tests`
const starter = 'src/testing/process.ts' // all that start the program do it by this
const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

/** Bundles all tests; answers the files to run, and which of them start the program. */
export async function bundleTests() {
  rmSync(outdir, { recursive: true, force: true })
  const entryPoints = globSync('src/**/*.test.ts', { cwd: root }).sort()
  const { metafile } = await build({
    ...forNode,
    absWorkingDir: root,
    entryPoints,
    outdir,
    outbase: 'src',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'shared/[hash]',
    external: [...native, ...Object.keys(devDependencies)], // of those that only tests use, nobody knows whether they can be bundled
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    plugins: [inPlace],
  })
  const files = entryPoints.map(bundleOf)
  return { files, starting: files.filter(file => loads(metafile.outputs, relative(root, file), starter)) }
}

/** Whether a bundled file, or any that it imports, holds this source. */
function loads(outputs, file, source, seen = new Set()) {
  if (seen.has(file) || !outputs[file]) return false // the latter is of a package
  seen.add(file)
  const { inputs, imports } = outputs[file]
  return source in inputs || imports.some(({ path }) => loads(outputs, path, source, seen))
}

/** The source of a bundled test; any other file is its own. */
export function sourceOf(file) {
  return file.startsWith(`${outdir}/`) ? file.replace(outdir, `${root}src`).replace(/\.mjs$/, '.ts') : file
}

function bundleOf(entry) {
  return entry.replace('src', outdir).replace(/\.ts$/, '.mjs')
}

/** What a module knows of its own place is that of its source. */
const inPlace = {
  name: 'in-place',
  setup(of) {
    of.onLoad({ filter: /\.(ts|mjs)$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (path.includes('/node_modules/') || !source.includes('import.meta.')) return undefined
      const places = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) }
      return { loader: path.endsWith('.ts') ? 'ts' : 'js', contents: source.replace(/\bimport\.meta\.(url|filename|dirname)\b/g, (_, which) => JSON.stringify(places[which])) }
    })
  },
}
