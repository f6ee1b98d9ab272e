import type { z } from 'zod'
import { omitNullish } from '../../../kernel/present.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { approvalUrl } from '../../../operations/approvals/approvals.ts'
import type { Approval, approvalStatuses } from '../shapes.ts'

type Status = (typeof approvalStatuses)[number]

function approvalStatusOf({ state, expires_at }: Row<'approvals'>, now: number): Status {
  return state === 'pending' && expires_at <= now ? 'expired' : state
}

/** An approval as shown to its key and its owner; only get_approval shows the result. */
export function presentApproval(
  row: Row<'approvals'>,
  { now, actor, baseUrl }: ReadContext,
): z.input<typeof Approval> {
  return omitNullish({
    id: row.id,
    status: approvalStatusOf(row, now),
    tool: row.tool,
    arguments: JSON.parse(row.arguments_json) as Record<string, unknown>,
    waits_for: actor.display_name,
    asked_at: iso(row.created_at),
    expires_at: iso(row.expires_at),
    decided_at: row.decided_at === null ? undefined : iso(row.decided_at),
    reason: row.reason,
    call_id: row.call_id,
    url: approvalUrl(baseUrl, row.id),
  })
}
