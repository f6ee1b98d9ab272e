// Groups the modules of the web app into chunks: hundreds of small files would each cost a request, and compress badly.
import { build } from 'vite'

/** Screens below src/web whose code is needed for the first render of the app. */
const firstLook = ['shell/Shell.tsx', 'store/StoreHost.tsx', 'pages/tasks/Tasks.tsx']

/**
 * Chunk groups for a build with these options: entry code of every page, code added by the first work screen, and
 * code shared by most lazily loaded parts. The rest stays with its pages.
 */
export async function chunkGroups(options) {
  const first = await modulesOfFirstLook(options)
  return [
    { name: 'start', tags: ['$initial'], priority: 40 },
    { name: 'work', test: (id) => first.has(id), priority: 30 },
    { name: 'common', minShareCount: 50, priority: 20 },
  ]
}

/**
 * Modules needed by the first work screen, from a build without groups. The import graph alone is not sufficient: it
 * includes everything named by libraries' index files, used or not.
 */
async function modulesOfFirstLook(options) {
  const { output } = await build({
    ...options,
    build: { write: false, minify: false, cssMinify: false },
  })
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]))
  const open = firstLook.map((path) => {
    const id = `${options.root}${path}`
    const chunk = output.find(({ facadeModuleId }) => facadeModuleId === id)
    if (!chunk) throw new Error(`${path} is not loaded on demand: see firstLook in web-chunks.mjs`)
    return chunk
  })
  const visitedChunks = new Set()
  for (let chunk = open.pop(); chunk !== undefined; chunk = open.pop()) {
    if (visitedChunks.has(chunk)) continue
    visitedChunks.add(chunk)
    open.push(...chunk.imports.map((file) => chunks.get(file)))
  }
  return new Set([...visitedChunks].flatMap(({ moduleIds }) => moduleIds))
}
