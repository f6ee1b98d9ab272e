import { paging, pageOf } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { approval } from '../access.ts'
import { Approval } from '../shapes.ts'
import { presentApproval } from './approval-presenter.ts'

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
    return { ...presentApproval(row, ctx), ...result }
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
    let query = approval.visibleTo(ctx).selectAll('approvals')
    if (status !== undefined)
      query = query.where('approvals.state', '=', status === 'expired' ? 'pending' : status)
    if (status === 'pending') query = query.where('approvals.expires_at', '>', ctx.now)
    if (status === 'expired') query = query.where('approvals.expires_at', '<=', ctx.now)
    const page = await paged(
      query,
      [
        { by: 'approvals.created_at', as: 'created_at', dir: 'desc' },
        { by: 'approvals.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(
      page,
      page.items.map((row) => presentApproval(row, ctx)),
    )
  },
})
