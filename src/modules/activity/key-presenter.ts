import type { z } from 'zod'
import { omitNullish } from '../../kernel/present.ts'
import type { ReadContext } from '../../operations/context.ts'
import { yieldOrCancel } from '../../operations/call/progress.ts'
import { isFindingOpen } from '../../limits/release.ts'
import type { Row } from '../../records/resource.ts'
import { dayLength, iso } from '../../kernel/time/times.ts'
import { displayPrefix } from '../../keys/format.ts'
import { apiKey } from './access.ts'
import { countCalls, findingsOf } from './calls/access-calls.ts'
import { connectionsOf } from './access-connections.ts'
import type { ApiKey, KeyFinding } from './shapes.ts'

const month = 30 * dayLength

/** The caller's keys, with their calls and findings of the last 30 days. */
export async function presentKeys(
  ctx: ReadContext,
  rows: readonly Row<'api_keys'>[],
): Promise<z.infer<typeof ApiKey>[]> {
  const shownKeys: z.infer<typeof ApiKey>[] = []
  const findings = await findingsOf(ctx, rows, ctx.now - month)
  const connections = await connectionsOf(ctx, rows)
  for (const row of rows) {
    await yieldOrCancel(ctx)
    const calls = await countCalls(ctx, row, ctx.now - month)
    const shownKey = presentKey(ctx, row, calls, findings.get(row.id) ?? [])
    const connection = connections.get(row.id)
    shownKeys.push(connection ? { ...shownKey, connection } : shownKey)
  }
  return shownKeys
}

function presentKey(
  ctx: ReadContext,
  row: Row<'api_keys'>,
  calls: number,
  findings: readonly Row<'abuse_findings'>[],
): z.infer<typeof ApiKey> {
  return omitNullish({
    id: row.id,
    name: row.name,
    kind: row.kind,
    prefix: displayPrefix(row.lookup),
    status: keyStatusOf(row, ctx.now),
    created_at: iso(row.created_at),
    expires_at: row.expires_at === null ? undefined : iso(row.expires_at),
    last_used_at: row.last_used_at === null ? undefined : iso(row.last_used_at),
    last_ip: row.last_ip,
    last_client: row.last_client,
    call_count_30d: calls,
    is_current: row.id === ctx.actor.key?.id,
    findings:
      findings.length === 0
        ? undefined
        : findings.map((finding) => presentFinding(finding, ctx.now)),
    url: apiKey.url(row, ctx.baseUrl),
  })
}

function presentFinding(row: Row<'abuse_findings'>, now: number): z.infer<typeof KeyFinding> {
  const holds =
    isFindingOpen(row, now) && row.hold !== 'none'
      ? omitNullish({
          holds: row.hold,
          until: row.until_at === null ? undefined : iso(row.until_at),
        })
      : {}
  return { id: row.id, rule: row.rule, at: iso(row.first_at), ...holds }
}

function keyStatusOf(row: Row<'api_keys'>, now: number): z.infer<typeof ApiKey>['status'] {
  if (row.revoked_at !== null) return 'revoked'
  if (row.expires_at !== null && row.expires_at <= now) return 'expired'
  if (row.suspended_at === null) return 'active'
  return row.suspended_by === null ? 'suspended' : 'paused'
}
