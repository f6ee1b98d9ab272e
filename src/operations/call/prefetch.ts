import type { Handlers } from '../operation.ts'
import { operationOf, type Call } from './call.ts'
import { readingContext, resolveRows } from './invoke.ts'

/** Runs the operation's fetch and compute steps, after checking that the caller can see the rows that the call names. */
export async function prefetch(call: Call): Promise<void> {
  const { app, request, dryRun } = call
  const entry = operationOf(call)
  const { name } = entry.operation
  const { fetch: fetchInput, compute }: Handlers = entry.operation
  const shouldFetch = fetchInput && !dryRun
  if (!shouldFetch && !compute) return
  const args = { ...call.args }
  const ctx = readingContext(call)
  const resolvedRows = await resolveRows(call, entry, args, ctx)
  if (shouldFetch)
    call.prefetched = await fetchInput(
      { ...args, ...resolvedRows },
      app.outside(name, request.signal),
    )
  if (compute) call.prefetched = await compute({ ...args, ...resolvedRows }, ctx)
}
