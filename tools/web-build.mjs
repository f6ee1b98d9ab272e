// Builds the web app into dist/web, including a precompressed version of each file.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { refreshWebTypes } from './generated.ts'
import { chunkGroups } from './web-chunks.mjs'

const source = fileURLToPath(new URL('../src/web/', import.meta.url))
const built = fileURLToPath(new URL('../dist/web/', import.meta.url))
const texts = /\.(js|css|svg|json|webmanifest|txt)$/
const worthIt = 1024 // bytes

/** Preloads the code of the first work screen together with the page's entry code, instead of after it. */
const firstWork = {
  name: 'first-work',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle }) {
      const names = Object.keys(bundle).filter((name) =>
        /^assets\/work-[^/]+\.(js|css)$/.test(name),
      )
      if (names.length === 0) throw new Error('There is no group of chunks for the first work.')
      return names.map((name) => ({
        tag: 'link',
        attrs: name.endsWith('.js')
          ? { rel: 'modulepreload', crossorigin: true, href: `/${name}` }
          : { rel: 'preload', as: 'style', crossorigin: true, href: `/${name}` },
        injectTo: 'head',
      }))
    },
  },
}

/** The output is reproducible. Returns the source files. */
export async function buildWeb() {
  refreshWebTypes()
  rmSync(built, { recursive: true, force: true })
  const options = {
    root: source,
    configFile: join(source, 'vite.config.ts'),
    mode: 'production',
    logLevel: 'warn',
  }
  const codeSplitting = { groups: await chunkGroups(options) }
  const { output } = await build({
    ...options,
    plugins: [firstWork],
    build: { rolldownOptions: { output: { codeSplitting } } },
  })
  for (const file of readdirSync(built, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || !texts.test(file.name)) continue
    const path = join(file.parentPath, file.name)
    const bytes = readFileSync(path)
    if (bytes.length < worthIt) continue
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
    )
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
  return output.flatMap(({ moduleIds = [] }) => moduleIds)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb()
