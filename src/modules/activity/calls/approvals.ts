import { present } from '../../../kernel/present.ts'
import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { paging, pageOf } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, shown } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { approval } from '../access.ts'
import { Approval, type approvalStatuses } from '../shapes.ts'

type Status = (typeof approvalStatuses)[number]

export const getApproval = operation({
  name: 'get_approval',
  searchHint: 'was my request approved, is it released yet, why was it denied',
  kind: 'read',
  rest: 'GET /api/approvals/{approval_id}',
  about: 'Status of a call awaiting approval: its result once approved, the reason if denied',
  openToAllKeys: 'held',
  on: { approval: approval.see.describe('from the approval_required error') },
  output: Approval,
  async handle({ approval: row }, ctx) {
    const result =
      row.result_json === null ? {} : { result: JSON.parse(row.result_json) as unknown }
    return { ...shownApproval(row, ctx), ...result }
  },
})

export const listApprovals = operation({
  name: 'list_approvals',
  searchHint: 'pending approvals, what am I waiting for, requests that wait, held calls',
  kind: 'read',
  rest: 'GET /api/approvals',
  about: "This key's calls that await approval or were decided, newest first",
  openToAllKeys: 'held',
  input: { status: Approval.shape.status.optional(), ...paging },
  output: pageOf(Approval),
  async handle({ status, limit, cursor }, ctx) {
    let found = approval.visibleTo(ctx).selectAll('approvals')
    if (status !== undefined)
      found = found.where('approvals.state', '=', status === 'expired' ? 'pending' : status)
    if (status === 'pending') found = found.where('approvals.expires_at', '>', ctx.now)
    if (status === 'expired') found = found.where('approvals.expires_at', '<=', ctx.now)
    const page = await paged(
      found,
      [
        { by: 'approvals.created_at', as: 'created_at', dir: 'desc' },
        { by: 'approvals.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return shown(
      page,
      page.items.map((row) => shownApproval(row, ctx)),
    )
  },
})

function statusOf({ state, expires_at }: Row<'approvals'>, now: number): Status {
  return state === 'pending' && expires_at <= now ? 'expired' : state
}

function shownApproval(
  row: Row<'approvals'>,
  { now, actor, baseUrl }: ReadContext,
): z.input<typeof Approval> {
  return present({
    id: row.id,
    status: statusOf(row, now),
    tool: row.tool,
    arguments: JSON.parse(row.arguments_json) as Record<string, unknown>,
    waits_for: actor.display_name,
    asked_at: iso(row.created_at),
    expires_at: iso(row.expires_at),
    decided_at: row.decided_at === null ? undefined : iso(row.decided_at),
    reason: row.reason,
    call_id: row.call_id,
    url: approval.url(row, baseUrl),
  })
}
