// A server of `npm run dev`, loaded in advance: imports the given modules, serves when requested, and reports the
// import graph, so that the next one can do the same.

import { on } from 'node:events'
import { registerHooks } from 'node:module'

/** First message of the parent: the modules to load, as URLs. */
export interface LoadRequest {
  modules: readonly string[]
}

/** Second message, once they are up to date: load the rest. */
export type RestRequest = 'rest'

/** Last message, when the port is free: serve with these command-line arguments. */
export interface ServeRequest {
  args: string[]
}

/** Report once the sources are loaded: pairs of a source and a module that it imports, as URLs, in order. */
export interface ImportReport {
  imports: [importer: string, imported: string][]
}

const sources = new URL('../src/', import.meta.url).href
const report: ImportReport = { imports: [] }
registerHooks({
  resolve(specifier, context, next) {
    const resolution = next(specifier, context)
    const { parentURL } = context
    if (parentURL?.startsWith(sources) && /^file:.*\.[cm]?[jt]s$/.test(resolution.url))
      report.imports.push([parentURL, resolution.url])
    return resolution
  },
})

const messages = on(process, 'message')
process.once('disconnect', () => process.exit()) // its parent is gone

const { modules } = await next<LoadRequest>()
for (const url of modules) await import(url)
await next<RestRequest>()
await import('../src/cli/server/server-run.ts')
const { runProgram } = await import('../src/cli/program.ts')
process.send?.(report)
const { args } = await next<ServeRequest>()
process.exit(await runProgram(args))

async function next<T>(): Promise<T> {
  const { value } = await messages.next()
  return (value as [T])[0]
}
