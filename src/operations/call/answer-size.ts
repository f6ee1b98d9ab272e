import { callAgain, limitAnswer, type LimitedAnswer } from '../answer-limits.ts'
import { operationOf, type Call } from './call.ts'

/**
 * Shapes an answer for the transport, and limits its size to what the request allows; also stores the full value.
 * @param readAgain reads the page again with a lower limit; not available for writes
 */
export async function fitAnswer(
  call: Call,
  value: unknown,
  readAgain?: (limit: number) => Promise<unknown>,
): Promise<LimitedAnswer | { value: unknown }> {
  const { args, app } = call
  const { maxBytes } = call.request
  const entry = operationOf(call)
  const shaped = applyShape(call, value)
  if (maxBytes === undefined) return { value: shaped }
  return limitAnswer(entry, shaped, {
    maxBytes,
    ...(readAgain ? { readAgain: async (limit) => applyShape(call, await readAgain(limit)) } : {}),
    call: () => callAgain(entry, args, app.baseUrl),
  })
}

function applyShape(call: Call, value: unknown): unknown {
  const { shape } = call.request
  call.fullValue = value
  return shape ? shape(operationOf(call), call.args, value) : value
}
