// Groups the modules of the web app into chunks: hundreds of small files would each cost a request, and compress badly.
import { build } from 'vite'

/** Screens whose code is needed for the first look at work, below src/web. */
const firstLook = ['shell/Shell.tsx', 'store/StoreHost.tsx', 'pages/tasks/Tasks.tsx']

/**
 * The groups of chunks for a build with these options: what every page begins with, what the first screen of work adds, and what
 * most parts share that are loaded on demand. The rest stays with the pages that need it.
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
 * The modules that the first screen of work needs, as a build without groups has them. The graph alone does not tell: it has what the
 * index files of libraries name, used or not.
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
