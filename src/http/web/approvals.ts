import { z } from 'zod'
import { demandApproval, denyApproval, listApprovals, shownApproval } from '../../approvals/approvals.ts'
import { releaseApproval } from '../../approvals/release.ts'
import { isId } from '../../core/ids.ts'
import { invalid } from '../../core/refusal.ts'
import { action, type Action } from './action.ts'

const list = action({
  method: 'GET',
  path: '/web/approvals',
  tool: 'list_approvals',
  takes: { pending: z.stringbool().default(true), limit: z.coerce.number().int().min(1).max(200).default(50), cursor: z.string().max(100).optional() },
  async work({ app, signed: { actor } }, { pending, limit, cursor }) {
    if (cursor !== undefined && !isId('apr', cursor)) throw invalid('cursor', 'this is no cursor of this list.')
    const found = await listApprovals(app.store, app.clock.now(), { owner: actor.id, pending, after: cursor, limit: limit + 1 })
    const items = found.slice(0, limit)
    const more = found.length > limit ? { next_cursor: items.at(-1)!.id } : {}
    return { value: { items: items.map(one => shownApproval(one, app.clock.now())), ...more, has_more: found.length > limit } }
  },
})

const release = action({
  method: 'POST',
  path: '/web/approvals/:id/release',
  tool: 'release_approval',
  async work({ app, signed, incoming, params: { id = '' } }) {
    const { requestId, ip, client } = incoming
    const approval = await demandApproval(app.store, id, signed.actor.id)
    const { value, callId } = await releaseApproval(app, approval, { transport: 'web', requestId, route: 'POST /web/approvals/{id}/release', ip, client }, signed.actor.session)
    const now = await demandApproval(app.store, id, signed.actor.id)
    return { value: { ...shownApproval(now, app.clock.now()), result: value }, headers: [['x-call-id', callId]] }
  },
})

const deny = action({
  method: 'POST',
  path: '/web/approvals/:id/deny',
  tool: 'deny_approval',
  records: true,
  async work({ app, signed: { actor }, from, params: { id = '' } }) {
    const { id: own } = await demandApproval(app.store, id, actor.id)
    return { value: shownApproval(await denyApproval(app, own, { by: actor.id, via: 'web', from, check: () => app.keys.recheck(actor) }), app.clock.now()) }
  },
})

export const approvalActions: readonly Action[] = [list, release, deny]
