// Bundles every test with its imports into .tests/, sharing common code: a test then loads about a hundred modules
// instead of 1,700, which halves the time of most. Threads are bundled likewise. A module's own path stays correct, so
// that it finds its files, and programs that it starts run from the sources.

import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { forNode, native, threads } from './bundling.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const outdir = `${root}.tests`
const starter = 'src/testing/process.ts' // all that start the program do it by this
const perProcess = 24 // files
const perBrowser = 5 // files, which wait for it: more are left to run alone at the end
const journeys = 'src/web-tests/'
/** The bundles imported by each group file. */
const groups = new Map()
const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

/** The sources of all tests. `isLong`: those of `npm run test:long`, named *.long.test.ts. */
export function testSources(isLong) {
  return globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
    .filter((source) => source.endsWith('.long.test.ts') === isLong)
    .sort()
}

/** Bundles tests, with optional esbuild options; returns the files to run, and which of them start the program. */
export async function bundleTests(entryPoints = testSources(false), more = {}) {
  rmSync(outdir, { recursive: true, force: true })
  const bundledThreads = Object.fromEntries(
    Object.entries({ ...threads, probing: 'src/sandbox/probing.ts' }).map(([name, source]) => [
      `threads/${name}`,
      source,
    ]),
  )
  const { metafile } = await build({
    ...forNode,
    absWorkingDir: root,
    entryPoints: {
      ...Object.fromEntries(entryPoints.map((entry) => [entry.slice(0, -'.ts'.length), entry])),
      ...bundledThreads,
    },
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'shared/[hash]',
    // Packages that are not bundled: those used only by tests may not support it; editors must share their state module
    // with these.
    external: [...native, ...Object.keys(devDependencies), '@codemirror/state'],
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    plugins: [inPlace],
    ...more,
  })
  const files = entryPoints.map(bundleOf)
  return {
    files,
    starting: files.filter((file) => loads(metafile.outputs, relative(root, file), starter)),
  }
}

/** True if a bundled file, or any of its imports, contains this source. */
function loads(outputs, file, source, seen = new Set()) {
  if (seen.has(file) || !outputs[file]) return false // the latter is of a package
  seen.add(file)
  const { inputs, imports } = outputs[file]
  return source in inputs || imports.some(({ path }) => loads(outputs, path, source, seen))
}

/**
 * Groups tests by folder into fewer processes: loading the program and creating its operations takes as long as the
 * tests of most files. Tests that change or measure process-wide state stay separate.
 */
export function together(files) {
  const isAlone = (file) =>
    /\bprocess\.|\bmock\b|\bglobalThis\b|\b(before|after)Each\(|\bcpuWatch\(|\brecordRuns\(|(^|= )resource\(/m.test(
      readFileSync(sourceOf(file), 'utf8'),
    )
  const byArea = Map.groupBy(
    files.filter((file) => !isAlone(file)),
    areaOf,
  )
  const groups = [...byArea].flatMap(([area, inside]) =>
    chunksOf(inside, perProcess).map((files, i) => grouped(area, i + 1, files)),
  )
  return [...groups, ...files.filter(isAlone)] // the longest first, so that none of them is left to run alone at the end
}

/** The module or top-level folder of a bundled test. */
function areaOf(file) {
  const path = relative(outdir, dirname(file)).split('/')
  return path.slice(0, path[1] === 'modules' ? 3 : 2).join('/')
}

function grouped(area, number, files) {
  if (files.length === 1) return files[0]
  const group = `${outdir}/${area.replaceAll('/', '-')}-${number}.mjs`
  writeFileSync(group, files.map((file) => `import './${relative(outdir, file)}'\n`).join(''))
  groups.set(group, files)
  return group
}

/** Test sources in a file: a bundle, a group of bundles, or a source. */
export function filesIn(file) {
  return (groups.get(file) ?? [file]).map(sourceOf)
}

/** Runs a single test file that was bundled before. */
export function fileAlone(source) {
  const path = relative(root, source)
  if (!path.startsWith(journeys) || !path.endsWith('.web.ts')) return bundleOf(path)
  const name = path.slice(journeys.length)
  return journeyGroup(`alone-${name.slice(0, -'.web.ts'.length)}`, [name])
}

/** Distributes files round-robin: slow files, which are often neighbours, end up in different groups. */
function dealt(all, groups) {
  return Array.from({ length: groups }, (_, i) => all.filter((_, n) => n % groups === i))
}

function chunksOf(all, size) {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
    all.slice(i * size, (i + 1) * size),
  )
}

/**
 * Bundles the named files of `src/web-tests`; returns the files to run: several in sequence per process, sharing a
 * browser, which needs seconds for its first page. Each is a suite, so that its resources are closed before the next
 * one starts.
 */
export async function bundleJourneys(names) {
  const setup = `${journeys}setup.ts` // first, for its hooks to hold in all suites
  const entries = [setup, ...names.map((name) => journeys + name)]
  await bundleTests(entries, { keepNames: false }) // a page to which a function is given has no helper that names things
  return dealt(names, Math.ceil(names.length / perBrowser)).map((files, i) =>
    journeyGroup(`journeys-${i + 1}`, files),
  )
}

function journeyGroup(groupName, names) {
  const suites = names.map((name) => {
    const bundle = bundleOf(journeys + name).replace(outdir, '.')
    return `suite('${journeys}${name}', async () => void (await import('${bundle}')))\n`
  })
  const group = `${outdir}/${groupName}.mjs`
  const setup = bundleOf(`${journeys}setup.ts`).replace(outdir, '.')
  writeFileSync(
    group,
    [`import { suite } from 'node:test'\nimport '${setup}'\n`, ...suites].join(''),
  )
  groups.set(
    group,
    names.map((name) => bundleOf(journeys + name)),
  )
  return group
}

/** The source of a bundled test; other files are returned unchanged. */
export function sourceOf(file) {
  return file.startsWith(`${outdir}/`)
    ? file.replace(`${outdir}/`, root).replace(/\.(test|web)\.mjs$/, '.$1.ts')
    : file
}

function bundleOf(entry) {
  return `${outdir}/${entry.replace(/\.ts$/, '.mjs')}`
}

/** Gives modules the location of their source; those that start a thread find themselves beside the bundled ones. */
const inPlace = {
  name: 'in-place',
  setup(build) {
    build.onLoad({ filter: /\.(ts|mjs)$/ }, ({ path }) => {
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
