import type { LimitedAnswer } from '../answer-limits.ts'
import { fitAnswer } from './answer-size.ts'
import { readingScope, requireWaiting, recordReleasedAnswer } from './approval.ts'
import type { Call } from './call.ts'
import { invoke } from './invoke.ts'
import { recordAlone } from './log.ts'
import { prefetch } from './prefetch.ts'
import type { Answer } from './request.ts'

/** Runs a read operation. Its entry in the call log is durable before the answer is sent. */
export async function runReadCall(call: Call): Promise<Answer> {
  await prefetch(call)
  const scope = readingScope(call)
  await requireWaiting(call, scope)
  const runOperation = (limit?: number) =>
    invoke(call, { scope }, limit === undefined ? call.args : { ...call.args, limit })
  const fitted = await fitAnswer(call, await runOperation(), runOperation)
  countRead(call, fitted)
  await recordAlone(call, { status: 'ok', value: call.fullValue })
  const answer = { ...fitted, callId: call.id, replayed: false }
  if (call.request.released)
    await call.app.store.writer.run(() => recordReleasedAnswer(call, answer))
  return answer
}

function countRead(
  { app, actor, admission, fullValue }: Call,
  fitted: LimitedAnswer | object,
): void {
  if (admission) app.limits.recordItemsRead(actor, admission, fullValue)
  if ('text' in fitted) app.limits.recordAnswerSize(actor, fitted.text.length)
}
