import { randomUUID } from 'node:crypto'
import type { Id } from '../core/ids.ts'
import type { Store } from '../db/open.ts'
import { CallLog, newCallId } from './record.ts'

/** Something that is done outside the catalogue: keys, people, the first start. Nothing secret goes in. */
export interface Act {
  tool: string
  /** As it was asked for: `workspace keys create`, `POST /setup`. */
  route: string
  kind: 'write' | 'destructive'
  via: 'cli' | 'web'
  at: number
  org_id: Id<'orgs'>
  actor_id: Id<'users'>
  items: readonly { type: string; id: string }[]
  arguments?: Record<string, unknown>
  ip?: string
}

/** Adds it to the call log; inside the job of the writer that does it, so that neither is kept without the other. */
export function recordAct(store: Store, act: Act): void {
  new CallLog(store.raw.write).append({
    id: newCallId(act.at),
    org_id: act.org_id,
    at: act.at,
    request_id: randomUUID(),
    actor_id: act.actor_id,
    key_id: null,
    transport: act.via,
    tool: act.tool,
    kind: act.kind,
    status: 'ok',
    error_code: null,
    result_count: null,
    changed: 0,
    duration_us: 0,
    idempotency_key: null,
    items: act.items,
    details: { route: act.route, arguments: act.arguments ?? {}, ip: act.ip ?? '' },
  })
}
