// Builds the views for MCP hosts into dist/apps: one page with everything inlined for each folder of src/apps with a
// main.tsx. The output is reproducible.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src/apps')
const built = join(root, 'dist/apps')

/** Returns the source files of the views. */
export async function buildApps() {
  const names = readdirSync(source).filter((name) => existsSync(join(source, name, 'main.tsx')))
  mkdirSync(built, { recursive: true })
  const inputs = await Promise.all(names.map(buildView))
  return [...new Set(inputs.flat())]
}

async function buildView(name) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`src/apps/${name}/main.tsx`],
    outdir: 'dist/apps',
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none', // THIRD-PARTY-NOTICES has them
    metafile: true,
    logLevel: 'warning',
  })
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text.trim()
  replaceFile(join(built, `${name}.html`), page(textOf('.js'), textOf('.css')))
  return Object.keys(metafile.inputs)
}

/** The policy allows only the page's script and styles, by hash: no requests of any kind. */
function page(script, style) {
  const policy = [
    `default-src 'none'`,
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Workspace</title>
<style>${style}</style>
</head>
<body>
<main id="view"></main>
<script>${script}</script>
</body>
</html>
`
}

function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/** Replaces a file atomically, and only if it changes: servers and tests may be reading it. */
function replaceFile(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildApps()
