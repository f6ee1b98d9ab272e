// A server whose catalogue is padded to the 339 operations of the whole surface with copies of those that there are, under
// other names: what a long list of tools costs. It runs from the sources, because no build has such a catalogue.
import { systemClock } from '../src/core/clock.ts'
import { lineLog } from '../src/core/log.ts'
import type { Module, Operation } from '../src/core/operation.ts'
import { readSettings } from '../src/core/settings.ts'
import { openApp } from '../src/core/start.ts'
import { startServer } from '../src/http/server.ts'
import { modules } from '../src/modules/index.ts'

const [, , data, wanted] = process.argv as [string, string, string, string]

function copiesOf(all: readonly Operation[], count: number): Operation[] {
  return Array.from({ length: count }, (_, i) => {
    const one = all[i % all.length]!
    const turn = Math.floor(i / all.length) + 1
    return { ...one, name: `${one.name}_${turn}`, aliases: [], rest: one.rest.replace('/api/', `/api/copy${turn}/`) }
  })
}

const listed = modules.flatMap(module => module.operations).filter(one => !one.unlisted)
const padding: Module = { name: 'copies', about: 'Copies of other operations, for measuring.', operations: copiesOf(listed, Number(wanted) - listed.length) }
const app = openApp({ settings: { ...readSettings(), data }, clock: systemClock, modules: [...modules, padding], log: lineLog(line => process.stderr.write(line)) })
const { url } = await startServer(app, { host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ url }))
