// The executable: one file with Node, the server, its files, the code of its threads and the native add-ons
// (https://nodejs.org/api/single-executable-applications.html).

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { finished, forNode, threads } from './bundling.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * Writes the executable from dist/ and the sources; `node`: the Node that is embedded and used for building. Returns
 * esbuild's metadata of the scripts.
 */
export async function buildExecutable(node, file) {
  const workDir = mkdtempSync(join(dist, 'executable-'))
  try {
    const { metafile } = await bundle(workDir)
    const blob = join(workDir, 'blob')
    const script = join(workDir, 'cli.js')
    writeFileSync(
      script,
      `(function (require, module, exports) {${finished(readFileSync(script, 'utf8'))}\n})`,
    ) // ASCII only: tools/starting reads it as Latin-1
    runQuietly(
      node,
      '--hash-seed=1',
      join(root, 'tools/starting/compile.cjs'),
      script,
      join(workDir, 'cli.compiled'),
    )
    cpSync(join(root, 'tools/starting/main.cjs'), join(workDir, 'main.cjs'))
    writeFileSync(
      join(workDir, 'config.json'),
      JSON.stringify({
        main: 'main.cjs', // the blob contains this name
        output: 'blob',
        disableExperimentalSEAWarning: true,
        execArgv: ['--max-semi-space-size=8'], // as in bin/workspace
        execArgvExtension: 'none', // NODE_OPTIONS is meant for other programs
        assets: assetFiles(workDir),
      }),
    )
    execFileSync(node, ['--experimental-sea-config', 'config.json'], {
      cwd: workDir,
      stdio: 'pipe',
    })
    writeFileSync(
      file,
      process.platform === 'linux' ? withoutSymbols(readFileSync(node)) : readFileSync(node),
      { mode: 0o755 },
    )
    if (process.platform === 'win32') runQuietly('signtool', 'remove', '/s', file)
    if (process.platform === 'darwin') runQuietly('codesign', '--remove-signature', file)
    runQuietly(
      node,
      join(root, 'node_modules/postject/dist/cli.js'),
      file,
      'NODE_SEA_BLOB',
      blob,
      '--sentinel-fuse',
      fuse,
      '--macho-segment-name',
      'NODE_SEA',
    )
    if (process.platform === 'darwin') runQuietly('codesign', '--sign', '-', file) // macOS on arm64 runs only signed programs
    return metafile
  } finally {
    rmSync(workDir, { recursive: true, force: true })
  }
}

/** Runs a program; shows its output only on failure. */
function runQuietly(program, ...args) {
  execFileSync(program, args, { stdio: 'pipe' })
}

/**
 * An ELF file (64 bits, little-endian) without debug information: removes everything after the loaded part, and the
 * section table.
 */
function withoutSymbols(elf) {
  const [headersOffset, headerSize, count] = [
    Number(elf.readBigUInt64LE(32)),
    elf.readUInt16LE(54),
    elf.readUInt16LE(56),
  ]
  const headers = Array.from({ length: count }, (_, i) =>
    elf.subarray(headersOffset + i * headerSize, headersOffset + (i + 1) * headerSize),
  )
  const end = Math.max(
    ...headers.map((header) => Number(header.readBigUInt64LE(8) + header.readBigUInt64LE(32))),
  )
  const stripped = Buffer.from(elf.subarray(0, end))
  stripped.fill(0, 40, 48) // offset of the section table
  stripped.fill(0, 60, 64) // number of sections, and index of the one with their names
  return stripped
}

async function bundle(outdir) {
  const { splitting, banner, plugins, ...rest } = forNode
  const result = await build({
    ...rest,
    absWorkingDir: root,
    entryPoints: { cli: 'src/cli/main.ts', ...threads },
    outdir,
    format: 'cjs',
    supported: { 'dynamic-import': false }, // an embedded script can only load built-in modules of Node
    define: { 'import.meta.url': JSON.stringify('file:///workspace/') },
    minify: true,
    lineLimit: 160, // Node prints the source line of an uncaught error
    metafile: true,
    plugins: [...plugins, addons, excludedPackages],
  })
  const externalImports = Object.values(result.metafile.outputs)
    .flatMap(({ imports }) => imports.map(({ path }) => path))
    .filter((path) => !isBuiltin(path))
  if (externalImports.length > 0)
    throw new Error(
      `The executable would look for ${[...new Set(externalImports)].join(', ')} outside of itself.`,
    )
  return result
}

/** Native add-ons are loaded from the executable instead of their packages' paths. */
const addons = {
  name: 'addons',
  setup(build) {
    const load = (name) =>
      `require(${JSON.stringify(join(root, 'src/native.ts'))}).loadAddon('${name}')`
    build.onLoad({ filter: /better-sqlite3[\\/]lib[\\/]binding\.js$/ }, () => ({
      contents: `exports.getBinding = () => ${load('better_sqlite3.node')}`,
    }))
    build.onLoad({ filter: /onnxruntime-node[\\/]dist[\\/]binding\.js$/ }, ({ path }) => ({
      contents: replacedOnce(
        readFileSync(path, 'utf8'),
        /require\(`[^`]*onnxruntime_binding\.node`\)/,
        load('onnxruntime_binding.node'),
      ),
    }))
    build.onLoad({ filter: /@node-rs[\\/]argon2[\\/]index\.js$/ }, () => ({
      contents: `module.exports = ${load('argon2.node')}`,
    }))
  },
}

function replacedOnce(text, pattern, replacement) {
  if (!pattern.test(text)) throw new Error(`${pattern} is not in the package any more.`)
  return text.replace(pattern, replacement)
}

/** Excludes optional dependencies of packages, which must not be searched for in the current working folder. */
const excludedPackages = {
  name: 'absent',
  setup(build) {
    build.onResolve({ filter: /^(supports-color|pg-native)$/ }, ({ path }) => ({
      path,
      namespace: 'absent',
    }))
    build.onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({
      contents: `throw new Error('${path} is not included')`,
    }))
  },
}

/** The add-ons for this system: the files of each by name, the add-on with the libraries that it loads from its folder. */
function addonGroups() {
  const { resolve } = createRequire(import.meta.url)
  const system = `${process.platform}-${process.arch}`
  const abi = { linux: '-gnu', win32: '-msvc' }[process.platform] ?? ''
  return [
    { 'better_sqlite3.node': join(root, `node_modules/better-sqlite3/prebuilds/${system}.node`) },
    { 'argon2.node': resolve(`@node-rs/argon2-${system}${abi}`) },
    encoderFiles(),
  ]
}

/** The runtime of the search encoder; none for a system that it does not support. */
function encoderFiles() {
  const folder = join(
    root,
    `node_modules/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`,
  )
  const name = 'onnxruntime_binding.node'
  if (!existsSync(join(folder, name))) return {}
  const addon = readFileSync(join(folder, name))
  const libraries = readdirSync(folder).filter((file) => file !== name && addon.includes(file))
  return Object.fromEntries([name, ...libraries].map((file) => [file, join(folder, file)]))
}

/** The files of all add-ons. */
export function addonFiles() {
  return addonGroups().flatMap((files) => Object.values(files))
}

/** Assets of the executable: their source files, by the paths that src/executable.ts uses. */
function assetFiles(workDir) {
  const code = Object.keys(threads).map((name) => [
    `threads/${name}.js`,
    join(workDir, `${name}.js`),
  ])
  const native = addonGroups().flatMap((files) => {
    const hash = createHash('sha256')
    for (const file of Object.values(files)) hash.update(readFileSync(file))
    const folder = hash.digest('hex')
    return Object.entries(files).map(([name, file]) => [`native/${folder}/${name}`, file])
  })
  const main = ['cli.js', 'cli.compiled'].map((name) => [name, join(workDir, name)])
  return Object.fromEntries(
    [
      ...main,
      ...code,
      ...native,
      ...filesBelow('assets'),
      ...filesBelow('web'),
      ...filesBelow('apps'),
    ].sort(([path], [otherPath]) => (path < otherPath ? -1 : 1)),
  )
}

function filesBelow(folder) {
  const files = readdirSync(join(dist, folder), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile(),
  )
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file.slice(dist.length + 1).replaceAll('\\', '/'), file])
}
