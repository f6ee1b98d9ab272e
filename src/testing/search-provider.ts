import { newId } from '../kernel/ids.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { openStore, type Store } from '../db/open.ts'
import { parseAllowedDestinations } from '../outbound/allow.ts'
import { Outbound } from '../outbound/outbound.ts'
import { SearchEngine } from '../search/engine.ts'
import { SearchIndex } from '../search/index.ts'
import { vectorSourceOf } from '../search/sources/configured.ts'

/** A search in its own folder, with a provider's vectors if configured. */
export interface Provided {
  store: Store
  engine: SearchEngine
  put(...texts: { id: string; title?: string; body: string; container?: string }[]): Promise<void>
  close(): Promise<void>
}

const org = newId<'orgs'>('org', 1)

/** `settings` are read whenever they are needed; the defaults of all others are added to them. */
export function openProvided(
  dir: string,
  settings: Partial<Settings>,
  now: () => number = () => Date.now(),
  env: NodeJS.ProcessEnv = {},
): Provided {
  const all = Object.assign(settings, { ...readSettings({}, {}), ...settings })
  const store = openStore(dir)
  store.raw.write
    .prepare(
      "insert or ignore into orgs (id, name, default_timezone, work_week_json, holidays_json, severity_scale_json, deal_stages_json, trash_days, revision, created_at, updated_at) values (?, 'A', 'UTC', '[]', '[]', '[]', '[]', 30, 1, 0, 0)",
    )
    .run(org)
  const outbound = new Outbound({
    enabled: all.outbound,
    openings: parseAllowedDestinations(all.outbound_allow)!,
    resolve: async () => [],
    ownAddresses: () => [],
    logFailure: () => {},
  })
  const engine = new SearchEngine(store, now, {
    provider: vectorSourceOf(all, outbound, now, env),
  })
  const index = new SearchIndex()
  return {
    store,
    engine,
    put: (...texts) =>
      store.writer.run(async () => {
        for (const { id, title = '', body, container = 'one' } of texts)
          await index.put(store.write, id, org, {
            title,
            body,
            container,
            part: 'item',
            item_id: id,
            item_type: 'page',
            at: 1,
          })
      }),
    async close() {
      if (engine.isClosed && !store.raw.read.open) return
      await engine.close()
      await store.close()
    },
  }
}

// Runs as a program that maintains the vectors of a folder until it is stopped: `node search-provider.ts <folder>
// <settings as JSON>`.
if (process.argv[1] === import.meta.filename) {
  const { engine } = openProvided(
    process.argv[2]!,
    JSON.parse(process.argv[3]!) as Partial<Settings>,
  )
  await engine.maintain()
  await engine.maintainProvider()
  process.stdout.write('done\n')
  await new Promise(() => setInterval(() => {}, 1000))
}
