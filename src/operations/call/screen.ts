import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../app.ts'
import { cursorNow, feedOf } from '../event-feed.ts'
import { toRefusal } from '../../db/failures.ts'
import { invalid, type Refusal } from '../../kernel/refusal.ts'
import { parse, refusalFor, withinLimits } from './admission.ts'
import { readingScope } from './approval.ts'
import { newCall, operationOf, addLogItem, type Call } from './call.ts'
import { contextIn, invoke } from './invoke.ts'
import { measure, recordAlone, recordFailure } from './log.ts'
import { prefetch } from './prefetch.ts'
import type { CallRequest } from './request.ts'

/** One of the operations whose answers a screen of the app needs. */
export interface ScreenCall {
  operation: string
  arguments: Record<string, unknown>
}

/** The answer of one operation of a screen, or the reason for its failure. */
type ScreenResult = { value: unknown } | { refusal: Refusal }

/** The answers of a screen's operations. They may lack changes made after `since_cursor`. */
export interface ScreenData {
  since_cursor: string
  results: ScreenResult[]
}

/**
 * Reads the data of one screen: several operations with one entry in the call log. A refused operation does not affect
 * the others.
 * @throws Refusal invalid_argument if one of the operations is not a read, among others
 */
export async function readScreen(
  app: App,
  actor: Actor,
  request: CallRequest,
  calls: readonly ScreenCall[],
): Promise<ScreenData> {
  const screen = newCall(app, actor, request)
  try {
    requireReads(app, calls)
    const screenData = await withinLimits(
      screen,
      { name: request.tool, kind: 'read' },
      async () => {
        const ctx = contextIn(screen, { scope: readingScope(screen) })
        const since_cursor = await cursorNow(feedOf(app.catalogue), ctx)
        const results = await Promise.all(calls.map((call) => readPart(screen, call)))
        await recordAlone(screen, { status: 'ok' })
        return { since_cursor, results }
      },
    )
    measure(screen, 'ok')
    return screenData
  } catch (error) {
    throw await recordFailure(screen, error)
  }
}

function requireReads({ catalogue }: App, calls: readonly ScreenCall[]): void {
  for (const [i, { operation: name }] of calls.entries())
    if ((catalogue.find(name)?.operation.kind ?? 'read') !== 'read')
      throw invalid(
        `calls[${i}].operation`,
        `${name} changes something.`,
        `Use POST /web/call/${name}.`,
      )
}

async function readPart(
  screen: Call,
  { operation, arguments: args }: ScreenCall,
): Promise<ScreenResult> {
  const { app, actor, request } = screen
  const partCall = newCall(app, actor, { ...request, tool: operation, args })
  try {
    partCall.entry = app.catalogue.requireEntry(operation)
    const refusal = refusalFor(partCall, operationOf(partCall))
    if (refusal) throw refusal
    const { value } = await parse(partCall, async () => {
      await prefetch(partCall)
      const value = await invoke(partCall, { scope: readingScope(partCall) })
      return { value, callId: screen.id, replayed: false }
    })
    for (const item of partCall.items) addLogItem(screen, item)
    measure(partCall, 'ok')
    return { value }
  } catch (error) {
    const refusal = toRefusal(app.log, error, partCall.request)
    measure(partCall, refusal.code)
    return { refusal }
  }
}
