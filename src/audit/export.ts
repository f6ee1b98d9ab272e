import type { SqlText } from '../db/connection.ts'

/** Entries to export: of one organization or all, made between two moments (milliseconds, both included). */
export interface ExportRange {
  org_id?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

const batchSize = 1000

interface StoredCall {
  [column: string]: string | number | null
  org_id: string
  seq: number
}

/**
 * Entries of the call log in order, each with the inputs of its hash, so that others can verify the chain. Reads in
 * batches, so that a long export does not block truncation of the write-ahead log.
 */
export async function* exportCalls(
  db: SqlText,
  { org_id, from = 0, to = Number.MAX_SAFE_INTEGER }: ExportRange,
): AsyncGenerator<Record<string, unknown>> {
  const batchQuery =
    'SELECT * FROM calls WHERE (org_id, seq) > (?, ?) AND org_id = coalesce(?, org_id) AND at BETWEEN ? AND ? ORDER BY org_id, seq LIMIT ?'
  let last: Pick<StoredCall, 'org_id' | 'seq'> = { org_id: '', seq: 0 }
  for (;;) {
    const rows = await db.all<StoredCall>(
      batchQuery,
      last.org_id,
      last.seq,
      org_id ?? null,
      from,
      to,
      batchSize,
    )
    for (const row of rows) yield exportedCallOf(row)
    if (rows.length < batchSize) return
    last = rows.at(-1)!
  }
}

function exportedCallOf({
  items_json,
  details_json,
  at,
  changed,
  tool,
  transport,
  ...rest
}: StoredCall): Record<string, unknown> {
  const details = details_json === null ? null : (JSON.parse(details_json as string) as unknown)
  return {
    at: new Date(at as number).toISOString(),
    operation: tool,
    via: transport,
    changed: changed === 1,
    items: JSON.parse(items_json as string) as unknown,
    details,
    ...rest,
  }
}
