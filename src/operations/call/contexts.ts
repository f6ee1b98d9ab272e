import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../app.ts'
import type { Entry } from '../entry.ts'
import type { ReadContext, WriteContext } from '../context.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Notices, Notify } from '../../notify/notices.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Rows } from '../../records/rows.ts'
import { viewerOf, type AccessScope } from '../../records/access-scope.ts'

/** State shared by the contexts of one call. */
export interface ContextSource {
  readonly app: App
  readonly actor: Actor
  readonly now: number
  readonly callId: Id<'calls'>
  readonly dryRun: boolean
  readonly signal: AbortSignal | undefined
  readonly notices: Notices
  readonly refusalFor: (entry: Entry) => Refusal | undefined
  /** Calls another operation inside this call. */
  readonly nested: (
    name: string,
    args: Record<string, unknown>,
    scope: AccessScope,
    rows: Rows | undefined,
  ) => Promise<unknown>
  /** Defers work until after the commit. */
  readonly afterCommit: (work: () => Promise<void>) => void
}

/** The context of a handler, with writable rows, or read-only if `rows` is undefined. */
export function contextOf(
  source: ContextSource,
  scope: AccessScope,
  rows: Rows | undefined,
  progress: ReadContext['progress'] = () => {},
  prefetched?: unknown,
): WriteContext {
  const { clock, baseUrl, settings, catalogue, limits, searchEngine } = source.app
  const { actor, now, dryRun, callId, signal, refusalFor } = source
  const call = async <T>(name: string, args: Record<string, unknown>) =>
    (await source.nested(name, args, scope, rows)) as T
  const readContext: ReadContext = {
    ...viewerOf(scope),
    actor,
    now,
    clock,
    dryRun,
    baseUrl,
    settings,
    limits,
    searchEngine,
    catalogue,
    callId,
    signal,
    prefetched,
    progress,
    refusalFor,
    call,
  }
  return (
    rows ? { ...readContext, ...writeMembers(source, scope, rows) } : readContext
  ) as WriteContext
}

function writeMembers(call: ContextSource, accessScope: AccessScope, rows: Rows) {
  return {
    add: rows.add.bind(rows),
    change: rows.change.bind(rows),
    changePart: rows.changePart.bind(rows),
    remove: rows.remove.bind(rows),
    trash: rows.trash.bind(rows),
    restore: rows.restore.bind(rows),
    putBack: rows.putBack.bind(rows),
    attempt: (work: () => Promise<unknown>) => attempt(call.notices, rows, work),
    event: rows.event.bind(rows),
    access: rows.access.bind(rows),
    notify: ((kind, people, table, row, text) =>
      call.notices.add({ kind, people, table, row, text })) satisfies Notify,
    afterCommit: call.afterCommit,
    ...jobsOf(call, accessScope),
    secrets: secretsOf(call, accessScope),
  }
}

/** Runs work; if it fails, its notices are rolled back together with its rows. */
async function attempt<T>(notices: Notices, rows: Rows, work: () => Promise<T>): Promise<T> {
  const { mark } = notices
  try {
    return await rows.attempt(work)
  } catch (error) {
    notices.rollBackTo(mark)
    throw error
  }
}

/** Jobs are ordinary rows: a dry run or a failure rolls them back. */
function jobsOf(
  { app: { jobs }, actor, now, afterCommit }: ContextSource,
  { all }: AccessScope,
): Pick<WriteContext, 'job' | 'schedule' | 'unschedule'> {
  const requester = { org_id: actor.org_id, owner_id: actor.id, key_id: actor.key?.id ?? null }
  const wakeAfterCommit = () => afterCommit(async () => jobs.wake())
  return {
    job: (kind, args, options) => {
      wakeAfterCommit()
      return jobs.add(all, now, kind, args, requester, options)
    },
    schedule: (schedule) => {
      wakeAfterCommit()
      return jobs.setSchedule(all, now, schedule, requester)
    },
    unschedule: (name) => jobs.dropSchedule(all, name, requester),
  }
}

function secretsOf(
  { app: { secrets }, actor, now }: ContextSource,
  { all }: AccessScope,
): WriteContext['secrets'] {
  const secretOwner = (table: string, { id }: { id: string }) => ({
    org_id: actor.org_id,
    table,
    row_id: id,
  })
  return {
    put: (table, row, column, text) =>
      secrets.put(all, now, { ...secretOwner(table, row), column }, text),
    read: (table, row, column) => secrets.read(all, { ...secretOwner(table, row), column }),
    drop: (table, row, column) => secrets.drop(all, secretOwner(table, row), column),
  }
}
