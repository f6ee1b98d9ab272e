import { randomUUID } from 'node:crypto'
import { NotCommitted } from '../db/writer.ts'
import type { App } from './app.ts'
import { Refusal } from './refusal.ts'

/** Whatever a call failed with as a refusal. What nobody expected is logged whole, and shown only by a reference. */
export function asRefusal(app: App, error: unknown, request: { requestId: string; tool: string }): Refusal {
  if (error instanceof Refusal) return error
  const known = databaseRefusal(error) ?? (isAbort(error) ? cancelled() : undefined)
  if (known) return known
  const reference = randomUUID()
  app.log.error('a call failed unexpectedly', { reference, request_id: request.requestId, tool: request.tool.slice(0, 80), error: describe(error) })
  return new Refusal('internal', `Something went wrong on our side; the log has it under ${reference}.`, { context: { reference } })
}

/** The end of a call whose caller has gone. Nobody reads it but who looks into the call log. */
export function cancelled(): Refusal {
  return new Refusal('cancelled', 'The caller went away before the answer was there.')
}

/** What a signal makes of work that it ends. */
function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

function databaseRefusal(error: unknown): Refusal | undefined {
  const code = error instanceof NotCommitted ? error.sqliteCode : ((error as { code?: string } | null)?.code ?? '')
  if (code === 'SQLITE_FULL') return new Refusal('storage_full', 'The disk is full; nothing was changed.', { retry_after_seconds: 60 })
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_IOERR')) return new Refusal('unavailable', 'The database is not available just now; nothing was changed.', { retry_after_seconds: 1 })
  return undefined
}

export function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
