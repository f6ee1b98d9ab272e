import { describeError } from '../../db/failures.ts'
import { Rollback } from '../../db/writer.ts'
import type { Handlers } from '../operation.ts'
import type { Rows } from '../../records/rows.ts'
import type { AccessScope } from '../../records/access-scope.ts'
import { fitAnswer } from './answer-size.ts'
import { requireWaiting, recordReleasedAnswer } from './approval.ts'
import { operationOf, writableRows, scopeOf, addLogItem, type Call } from './call.ts'
import { invoke } from './invoke.ts'
import { record } from './log.ts'
import { checkOutboundRows } from './outbound.ts'
import { prefetch } from './prefetch.ts'
import {
  checkLeakedKeys,
  replayFirstAnswer,
  storeFirstAnswer,
  takeIdempotencyKey,
} from './replay.ts'
import type { Answer } from './request.ts'

/** Runs a write operation: its changes, its entry in the call log and its first answer are one transaction. */
export async function runWrite(call: Call): Promise<Answer> {
  const { store, keys, outbound, settings } = call.app
  await checkLeakedKeys(call)
  const idempotencyKey = takeIdempotencyKey(call, call.args)
  const { operation } = operationOf(call)
  const handlers: Handlers = operation
  call.prefetched = await handlers.prepare?.(call.args, { outbound, settings })
  await prefetch(call)
  const answer = await store.writer.run(async () => {
    await keys.recheck(call.actor)
    const scope = scopeOf(call, store.write)
    await requireWaiting(call, scope)
    const firstAnswer = idempotencyKey && (await replayFirstAnswer(call, idempotencyKey, call.args))
    if (call.dryRun && !firstAnswer) return executeDryRun(call, scope)
    const answer = firstAnswer || (await execute(call, scope))
    await recordReleasedAnswer(call, answer)
    return answer
  })
  void runAfterCommit(call)
  return { ...answer, ...(await fitAnswer(call, answer.value)) }
}

async function execute(call: Call, scope: AccessScope): Promise<Answer> {
  const rows = writableRows(call, scope)
  const value = await invoke(call, { scope, rows })
  checkOutboundRows(call, rows)
  await record(call, { status: 'ok', value, changed: await flush(call, scope, rows) })
  await storeFirstAnswer(call, scope, value)
  return { value, callId: call.id, replayed: false }
}

/** Does all the work and rolls it back, except for its entry in the call log. */
async function executeDryRun(call: Call, scope: AccessScope): Promise<Answer> {
  const { writer } = call.app.store
  try {
    const value = await writer.attempt<unknown>(async () => {
      throw new Rollback(await invoke(call, { scope, rows: writableRows(call, scope) }))
    })
    call.afterCommit = []
    call.notices.rollBackTo(0)
    return { value, callId: call.id, replayed: false }
  } finally {
    await record(call, { status: 'ok' })
  }
}

/** Writes the changes and notifications of the call. Returns 1 if it changed anything, else 0. */
export async function flush(call: Call, scope: AccessScope, rows: Rows): Promise<0 | 1> {
  const { app, actor, notices, request, admission } = call
  await notices.flush(scope, actor)
  const changes = await rows.flush(call.id, actor.key?.id ?? null, request.cause?.run ?? null)
  for (const change of changes) addLogItem(call, { type: change.item_type, id: change.item_id })
  if (admission) await app.limits.checkChanges(actor, admission, changes, call.now)
  return changes.length > 0 ? 1 : 0
}

/** Runs work that was deferred until the write is durable. Failures are logged: the call has succeeded. */
export async function runAfterCommit(call: Call): Promise<void> {
  for (const work of call.afterCommit) {
    await work().catch((error) =>
      call.app.log.error('work after a commit failed', {
        call: call.id,
        error: describeError(error),
      }),
    )
  }
}
