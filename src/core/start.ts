import { CallLog } from '../audit/record.ts'
import { openStore, type Role } from '../db/open.ts'
import { KeyGate } from '../keys/verify.ts'
import { SearchIndex } from '../search/index.ts'
import type { App } from './app.ts'
import { Catalogue } from './catalogue.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { Module } from './operation.ts'
import type { Settings } from './settings.ts'

/** Opens a workspace on its data directory. */
export function openApp(of: { settings: Settings; clock: Clock; modules: readonly Module[]; log: Log; role?: Role }): App {
  const { settings, clock, modules, log } = of
  const catalogue = new Catalogue(modules)
  const store = openStore(settings.data, of.role)
  return {
    store,
    catalogue,
    settings,
    clock,
    log,
    search: new SearchIndex(),
    callLog: new CallLog(store.raw.write),
    keys: new KeyGate(store.raw, clock),
    baseUrl: settings.base_url,
  }
}
