import { argumentsHash } from '../arguments.ts'
import { itemIdsIn } from '../approvals/items.ts'
import {
  requireReleasable,
  approvalRequired,
  OutboundDetected,
  recordRelease,
  requestApproval,
} from '../approvals/approvals.ts'
import type { AccessScope } from '../../records/access-scope.ts'
import { fitAnswer } from './answer-size.ts'
import { operationOf, scopeOf, type Arguments, type Call, type Step } from './call.ts'
import { readingContext, resolveRows } from './invoke.ts'
import { record } from './log.ts'
import { needsApproval } from './outbound.ts'
import type { Answer } from './request.ts'
import { checkLeakedKeys, replayFirstAnswer, takeIdempotencyKey, withoutSecrets } from './replay.ts'

/** Makes a call that sends something outside wait for the owner of its key, if the key requires that. */
export const holdForApproval: Step = async (call, next) => {
  const { approval } = call.request
  if (approval !== undefined || needsApproval(call, operationOf(call), call.args))
    return queueForApproval(call)
  try {
    return await next()
  } catch (error) {
    if (error instanceof OutboundDetected) return queueForApproval(call)
    throw error
  }
}

/**
 * Validates the call, then queues it. `prepare` and `fetch` run only once it is approved: even looking up a host name
 * chosen by the caller can leak data to the owner of that host.
 */
async function queueForApproval(call: Call): Promise<Answer> {
  const { app, actor, request } = call
  const entry = operationOf(call)
  const { store, keys } = app
  await checkLeakedKeys(call)
  const args = { ...call.args }
  const idempotencyKey = takeIdempotencyKey(call, args)
  if (request.approval === undefined)
    // a repeated call was validated when first sent; if it has run since, its items may be gone
    await resolveRows(call, entry, { ...args }, readingContext(call))
  const { idempotency_key: _, ...sentArgs } = (request.args ?? {}) as Arguments
  const waitingCall = {
    actor,
    tool: entry.operation.name,
    args: sentArgs,
    argumentsHash: argumentsHash(args),
    idempotencyKey,
    requestId: request.requestId,
    ip: request.ip,
    approval: request.approval,
    items: [...call.items.map((item) => item.id), ...itemIdsIn(sentArgs)],
  }
  const outcome = await store.writer.run(async () => {
    await keys.recheck(actor)
    const firstAnswer =
      idempotencyKey !== undefined && (await replayFirstAnswer(call, idempotencyKey, args))
    if (firstAnswer) return { stored: firstAnswer }
    const waitOutcome = await requestApproval(store.write, call.now, waitingCall)
    if ('stored' in waitOutcome) await record(call, { status: 'ok' })
    return waitOutcome
  })
  if ('waiting' in outcome)
    throw approvalRequired(outcome.waiting, actor, {
      changesOutside: call.changesOutside,
      baseUrl: app.baseUrl,
    })
  return { ...outcome.stored, ...(await fitAnswer(call, outcome.stored.value)), replayed: true }
}

/** Checks that the approved call is still waiting: it runs at most once. */
export async function requireWaiting(
  { request: { released } }: Call,
  scope: AccessScope,
): Promise<void> {
  if (released) await requireReleasable(scope, released)
}

/** Marks the approval as released and stores the answer, in the transaction of the released call. */
export async function recordReleasedAnswer(call: Call, answer: Answer): Promise<void> {
  const { released } = call.request
  if (!released) return
  await recordRelease(call.app.store.write, call.now, released.approval, released.by, {
    callId: answer.callId,
    value: withoutSecrets(operationOf(call), answer.value),
  })
}

/** The scope for reads outside of a write. */
export function readingScope(call: Call): AccessScope {
  return scopeOf(call, call.app.store.read)
}
