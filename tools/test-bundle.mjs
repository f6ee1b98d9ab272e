// Bundles every test with all that it loads into .tests/, where what several tests load is there once: a test then loads some hundred
// modules and no longer 1,700, which halves the time of most. Threads are bundled likewise. What a module knows of its own place stays
// true, so that it finds the files beside it, and the programs that it starts run from the sources.

import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { forNode, native, threads } from './bundling.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const outdir = `${root}.tests`
const starter = 'src/testing/process.ts' // all that start the program do it by this
const inOne = 6 // files at most in one process
const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

/** Bundles all tests; answers the files to run, and which of them start the program. */
export async function bundleTests() {
  rmSync(outdir, { recursive: true, force: true })
  const bundledThreads = Object.fromEntries(
    Object.entries({ ...threads, probing: 'src/sandbox/probing.ts' }).map(([name, source]) => [
      `threads/${name}`,
      source,
    ]),
  )
  const entryPoints = globSync('src/**/*.test.ts', { cwd: root }).sort()
  const { metafile } = await build({
    ...forNode,
    absWorkingDir: root,
    entryPoints: {
      ...Object.fromEntries(
        entryPoints.map((entry) => [entry.slice('src/'.length, -'.ts'.length), entry]),
      ),
      ...bundledThreads,
    },
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'shared/[hash]',
    external: [...native, ...Object.keys(devDependencies)], // of those that only tests use, nobody knows whether they can be bundled
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    plugins: [inPlace],
  })
  const files = entryPoints.map(bundleOf)
  return {
    files,
    starting: files.filter((file) => loads(metafile.outputs, relative(root, file), starter)),
  }
}

/** Whether a bundled file, or any that it imports, holds this source. */
function loads(outputs, file, source, seen = new Set()) {
  if (seen.has(file) || !outputs[file]) return false // the latter is of a package
  seen.add(file)
  const { inputs, imports } = outputs[file]
  return source in inputs || imports.some(({ path }) => loads(outputs, path, source, seen))
}

/**
 * The same tests in fewer processes, those of a folder together: to load the program and to make its operations takes as long as what most
 * files then test. One that changes or measures what all in a process share stays alone.
 */
export function together(files) {
  const isAlone = (file) =>
    /\bprocess\.|\bmock\b|\bglobalThis\b|\b(before|after)Each\(|\bcpuWatch\(|^resource\(/m.test(
      readFileSync(sourceOf(file), 'utf8'),
    )
  const byFolder = Map.groupBy(
    files.filter((file) => !isAlone(file)),
    dirname,
  )
  return [
    ...files.filter(isAlone),
    ...[...byFolder].flatMap(([folder, inside]) =>
      chunksOf(inside, inOne).map((some) => grouped(folder, some)),
    ),
  ]
}

function grouped(folder, files) {
  if (files.length === 1) return files[0]
  const name = (file) => basename(file, '.test.mjs')
  const group = `${folder}/${name(files[0])}--${name(files.at(-1))}.mjs`
  writeFileSync(group, files.map((file) => `import './${basename(file)}'\n`).join(''))
  return group
}

function chunksOf(all, size) {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
    all.slice(i * size, (i + 1) * size),
  )
}

/** The source of a bundled test; any other file is its own. */
export function sourceOf(file) {
  return file.startsWith(`${outdir}/`)
    ? file.replace(outdir, `${root}src`).replace(/\.test\.mjs$/, '.test.ts')
    : file
}

function bundleOf(entry) {
  return entry.replace('src', outdir).replace(/\.ts$/, '.mjs')
}

/** What a module knows of its own place is that of its source; who starts a thread finds itself beside the bundled ones. */
const inPlace = {
  name: 'in-place',
  setup(of) {
    of.onLoad({ filter: /\.(ts|mjs)$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (path.includes('/node_modules/') || !source.includes('import.meta.')) return undefined
      const url = pathToFileURL(
        /new Worker\(|startThread\(|new Sandbox\b/.test(source)
          ? `${outdir}/threads/starter.mjs`
          : path,
      ).href
      const places = { url, filename: path, dirname: dirname(path) }
      return {
        loader: path.endsWith('.ts') ? 'ts' : 'js',
        contents: source.replace(/\bimport\.meta\.(url|filename|dirname)\b/g, (_, which) =>
          JSON.stringify(places[which]),
        ),
      }
    })
  },
}
