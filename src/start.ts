import { CallLog } from './audit/record.ts'
import { openStore, type ProcessRole, type Store } from './db/open.ts'
import { KeyGate } from './keys/verify.ts'
import { Limits } from './limits/limits.ts'
import { parseAllowedDestinations } from './outbound/allow.ts'
import type { Target } from './outbound/guard.ts'
import { bareHost } from './outbound/hosts.ts'
import { createDnsRecords, createLookup } from './outbound/names.ts'
import { Outbound } from './outbound/outbound.ts'
import { SearchEngine } from './search/engine.ts'
import { indexColumns, SearchIndex } from './search/index.ts'
import { rerankerOf } from './search/reranker.ts'
import { vectorSourceOf } from './search/sources/configured.ts'
import { MasterKeys } from './secrets/master.ts'
import { Secrets } from './secrets/secrets.ts'
import type { App } from './operations/app.ts'
import { Catalogue } from './operations/catalogue.ts'
import type { Clock } from './kernel/time/clock.ts'
import { Jobs } from './operations/jobs/job-store.ts'
import { describeError } from './db/failures.ts'
import { Live } from './events/live.ts'
import type { Log } from './kernel/log.ts'
import type { Module } from './operations/module.ts'
import { outsideOf } from './operations/jobs/outside.ts'
import type { Settings } from './config/settings.ts'

/** Opens a workspace on its data directory. */
export async function openApp(options: {
  settings: Settings
  clock: Clock
  modules: readonly Module[]
  log: Log
  role?: ProcessRole
}): Promise<App> {
  const { settings, clock, modules, log } = options
  const catalogue = new Catalogue(modules)
  const store = await openDatabase(settings, options.role)
  const outbound = outboundOf(settings, log, () => doorsOf(app))
  const keys = new KeyGate(store, clock)
  const callLog = new CallLog(store.write)
  const app: App = {
    store,
    catalogue,
    settings,
    clock,
    log,
    search: new SearchIndex(),
    searchEngine: new SearchEngine(store, () => clock.now(), {
      provider: vectorSourceOf(settings, outbound, () => clock.now()),
      reranker: rerankerOf(settings, outbound, () => clock.now(), {
        tell: (outcome) => app.meter?.recordRerank(outcome),
      }),
    }),
    callLog,
    keys,
    limits: new Limits({ settings, store, clock, log, callLog, keys }),
    jobs: new Jobs(modules),
    live: new Live({
      store,
      keys,
      clock,
      log,
      maxStreams: {
        perKey: settings.mcp_streams_per_key,
        forAllKeys: settings.mcp_streams,
        perPerson: settings.web_streams_per_person,
        forAllPeople: settings.web_streams,
      },
    }),
    outbound,
    secrets: new Secrets(
      new MasterKeys({ file: settings.master_key_file, env: process.env.WORKSPACE_MASTER_KEY }),
      (why) => log.error('a secret could not be sealed or opened', { why }),
    ),
    outside: (tool, signal) => outsideOf(app, tool, signal),
    mayErase: () => true,
    baseUrl: settings.base_url,
  }
  app.searchEngine.onFailure = (error) =>
    log.error('search continued without its thread', { error: describeError(error) })
  return app
}

/**
 * Opens the configured database.
 * @throws what `openStore` does; DatabaseUnusable where PostgreSQL cannot be used
 */
export async function openDatabase(
  { data, database }: Pick<Settings, 'data' | 'database'>,
  role: ProcessRole = 'server',
): Promise<Store> {
  if (database === '') return openStore(data, role)
  const { openPostgres } = await import('./db/postgres/open.ts')
  return openPostgres({ url: database, dataDir: data, role, indexColumns })
}

/** Configured outbound access; `own`: this instance's addresses, which must not be called. */
export function outboundOf(
  { outbound, outbound_allow, outbound_dns }: Settings,
  log: Pick<Log, 'warn'>,
  listOwnTargets: () => Target[],
): Outbound {
  const servers = outbound_dns.split(',').filter((part) => part !== '')
  return new Outbound({
    enabled: outbound,
    openings: parseAllowedDestinations(outbound_allow) ?? [],
    resolve: createLookup(servers),
    directory: createDnsRecords(servers),
    ownAddresses: listOwnTargets,
    logFailure: (message, more) => log.warn(message, more),
  })
}

/** Addresses of this instance, so that it cannot be made to call itself. */
function doorsOf({ baseUrl, settings: { host, port } }: App): Target[] {
  const url = URL.parse(baseUrl)
  const publicTargets = url
    ? [
        {
          host: bareHost(url.hostname),
          port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
        },
      ]
    : []
  return port === 0 ? publicTargets : [...publicTargets, { host, port }]
}
