import { z } from 'zod'
import {
  demandApproval,
  denyApproval,
  longestReason,
  listApprovals,
  shownApproval,
} from '../../operations/approvals/list.ts'
import { releaseApproval } from '../../operations/approvals/release.ts'
import { readOn } from '../../operations/call/index.ts'
import { shownStanding } from '../../operations/approvals/approvals.ts'
import { idsIn } from '../../operations/approvals/items.ts'
import { isId, prefixOf } from '../../kernel/ids.ts'
import { refsOf } from '../../records/items.ts'
import { invalid } from '../../kernel/refusal.ts'
import { resourceByPrefix, type ItemRef } from '../../records/resource.ts'
import type { Signed } from '../../identity/sessions.ts'
import { action, type Action, type Visit } from './action.ts'

const list = action({
  method: 'GET',
  path: '/web/approvals',
  tool: 'list_approvals',
  takes: {
    pending: z.stringbool().default(true),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(100).optional(),
  },
  async work(visit, { pending, limit, cursor }) {
    const {
      app,
      signed: { actor },
    } = visit
    if (cursor !== undefined && !isId('apr', cursor))
      throw invalid('cursor', 'not a cursor of this list.')
    const found = await listApprovals(app.store, app.clock.now(), {
      owner: actor.id,
      pending,
      after: cursor,
      limit: limit + 1,
    })
    const items = found.slice(0, limit)
    const more = found.length > limit ? { next_cursor: items.at(-1)!.id } : {}
    const waiting = items.map((item) => shownApproval(item, app.clock.now()))
    const refs = await itemsNamed(
      visit,
      waiting.flatMap((item) => [...idsIn(item.arguments)]),
    )
    const standings = await Promise.all(items.map((item) => shownStanding(app, item, actor)))
    const shown = waiting.map((item, i) => ({
      ...item,
      ...standings[i],
      items: [...new Set(idsIn(item.arguments))].flatMap((id) => refs.get(id) ?? []),
    }))
    return { value: { items: shown, ...more, has_more: found.length > limit } }
  },
})

const release = action({
  method: 'POST',
  path: '/web/approvals/:id/release',
  tool: 'release_approval',
  takes: { items_version: z.string().max(40).optional() },
  async work({ app, signed, incoming, params: { id = '' } }, { items_version }) {
    const { requestId, ip, client } = incoming
    const approval = await demandApproval(app.store, id, signed.actor.id)
    const { value, callId } = await releaseApproval(
      app,
      approval,
      { transport: 'web', requestId, route: 'POST /web/approvals/{id}/release', ip, client },
      { session: signed.actor.session, itemsVersion: items_version },
    )
    const now = await demandApproval(app.store, id, signed.actor.id)
    return {
      value: { ...shownApproval(now, app.clock.now()), result: value },
      headers: [['x-call-id', callId]],
    }
  },
})

const deny = action({
  method: 'POST',
  path: '/web/approvals/:id/deny',
  tool: 'deny_approval',
  records: true,
  takes: { reason: z.string().trim().max(longestReason).optional() },
  async work({ app, signed: { actor }, from, params: { id = '' } }, { reason }) {
    const { id: own } = await demandApproval(app.store, id, actor.id)
    return {
      value: shownApproval(
        await denyApproval(app, own, {
          by: actor.id,
          via: 'web',
          reason,
          from,
          check: () => app.keys.recheck(actor),
        }),
        app.clock.now(),
      ),
    }
  },
})

export const approvalActions: readonly Action[] = [list, release, deny]

/** The items of these ids that the owner sees: what a call names is to be read, not looked up. */
function itemsNamed(
  { app, signed: { actor }, incoming: { requestId, ip } }: Visit & { signed: Signed },
  ids: readonly string[],
): Promise<Map<string, ItemRef>> {
  const wanted = [...new Set(ids)].map((id) => ({
    id,
    type: resourceByPrefix(prefixOf(id))!.definition.type,
  }))
  return readOn(
    app,
    actor,
    {
      tool: 'list_approvals',
      args: {},
      transport: 'web',
      requestId,
      route: 'GET /web/approvals',
      ip,
    },
    (ctx) => refsOf(ctx, wanted, app.baseUrl),
  )
}
