import type { Fitted } from '../answer-limits.ts'
import { fitAnswer } from './answer-size.ts'
import { readingScope, requireWaiting, settleReleased } from './approval.ts'
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
  const ask = (limit?: number) =>
    invoke(call, { scope }, limit === undefined ? call.args : { ...call.args, limit })
  const fitted = await fitAnswer(call, await ask(), ask)
  countRead(call, fitted)
  await recordAlone(call, { status: 'ok', value: call.fullValue })
  const answer = { ...fitted, callId: call.id, replayed: false }
  if (call.request.released) await call.app.store.writer.run(() => settleReleased(call, answer))
  return answer
}

function countRead({ app, actor, admission, fullValue }: Call, fitted: Fitted | object): void {
  if (admission) app.limits.read(actor, admission, fullValue)
  if ('text' in fitted) app.limits.answered(actor, fitted.text.length)
}
