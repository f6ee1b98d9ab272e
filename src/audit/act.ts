import { randomUUID } from 'node:crypto'
import type { Id } from '../kernel/ids.ts'
import type { Store } from '../db/open.ts'
import { CallLog, newCallId } from './record.ts'

/** The request that caused the action; unset at the command line. */
export interface ActionOrigin {
  requestId?: string
  ip?: string
  client?: { name: string; version?: string } | undefined
  session?: Id<'web_sessions'> | undefined
}

/** An action outside the catalogue: keys, people, the first start. Contains nothing secret. */
export interface LoggedAction extends ActionOrigin {
  tool: string
  /** Route or command of the request: `workspace keys create`, `POST /setup`. */
  route: string
  kind: 'read' | 'write' | 'destructive'
  via: 'cli' | 'web' | 'rest'
  at: number
  org_id: Id<'orgs'>
  actor_id: Id<'users'>
  items: readonly { type: string; id: string }[]
  arguments?: Record<string, unknown>
  /** Unset if the action was done. */
  refusal?: { code: string; denied: boolean }
}

/** Adds an action to the call log, in the writer job that performs it, so that both are stored or neither. */
export async function recordAction(store: Store, act: LoggedAction): Promise<void> {
  await new CallLog(store.write).append({
    id: newCallId(act.at),
    org_id: act.org_id,
    at: act.at,
    request_id: act.requestId ?? randomUUID(),
    actor_id: act.actor_id,
    key_id: null,
    transport: act.via,
    tool: act.tool,
    kind: act.kind,
    status: outcomeStatusOf(act.refusal),
    error_code: act.refusal?.code ?? null,
    result_count: null,
    changed: 0,
    duration_us: 0,
    idempotency_key: null,
    items: act.items,
    details: {
      route: act.route,
      arguments: act.arguments ?? {},
      ip: act.ip ?? '',
      client: act.client,
      session: act.session,
    },
  })
}

function outcomeStatusOf(refusal: LoggedAction['refusal']): 'ok' | 'denied' | 'error' {
  if (refusal === undefined) return 'ok'
  return refusal.denied ? 'denied' : 'error'
}

/**
 * Records an action on the whole instance, such as a backup, in the log of each organization. It is attributed to the
 * longest-standing administrator, since the person at the machine was not signed in.
 */
export async function recordForEachOrg(
  store: Store,
  act: Omit<LoggedAction, 'org_id' | 'actor_id'>,
  onlyOrg?: string,
): Promise<void> {
  const orgs = await store.write.all<{ id: Id<'orgs'> }>('SELECT id FROM orgs ORDER BY id')
  for (const { id: org_id } of orgs) {
    if (onlyOrg !== undefined && onlyOrg !== org_id) continue
    const attributedTo = await store.write.one<{ id: Id<'users'> }>(
      `SELECT id FROM users WHERE org_id = ? ORDER BY role = 'admin' AND status = 'active' DESC, status = 'active' DESC, created_at, id LIMIT 1`,
      org_id,
    )
    if (attributedTo) await recordAction(store, { ...act, org_id, actor_id: attributedTo.id })
  }
}
