import type { WatchedOperation } from '../../limits/abuse.ts'
import { parseArguments, withOneLineNames } from '../arguments.ts'
import { keyRefusal } from '../catalogue.ts'
import type { Entry } from '../entry.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { unknownIdsInAnswer } from './unknown-ids.ts'
import { operationOf, type Call, type Step } from './call.ts'

/** Finds the operation and checks that key and connection may use it. */
export const findOperation: Step = async (call, next) => {
  const { app, actor, request } = call
  call.entry = app.catalogue.requireEntry(request.tool)
  const refusal = refusalFor(call, call.entry)
  if (refusal) throw refusal
  const answer = await next()
  app.limits.recordUnknownIds(actor, request.transport, unknownIdsInAnswer(answer.value))
  return answer
}

/** Applies rate limits, plans and abuse rules to the call. */
export const admit: Step = (call, next) => withinLimits(call, operationOf(call).operation, next)

/** Parses the arguments with the operation's schema. */
export const parse: Step = (call, next) => {
  const entry = operationOf(call)
  const { transport, args } = call.request
  call.args = parseArguments(
    entry,
    transport === 'automation' ? withOneLineNames(entry, args) : args,
  )
  call.dryRun = call.args.dry_run === true
  return next()
}

/** Why the caller may not use an operation; undefined if it may. */
export function refusalFor({ actor, request }: Call, entry: Entry): Refusal | undefined {
  return keyRefusal(actor.key, entry) ?? request.refusalFor?.(entry)
}

/** Runs work within the limits of the caller, and reports the outcome to them. */
export async function withinLimits<T>(
  call: Call,
  operation: WatchedOperation,
  work: () => Promise<T>,
): Promise<T> {
  const { limits } = call.app
  const admission = await limits.begin(call.actor, call.request, operation, call.now)
  call.admission = admission
  let succeeded = false
  try {
    const value = await work()
    succeeded = true
    return value
  } finally {
    limits.end(admission, succeeded, call.request.requestId)
  }
}
