import { EndpointReply } from '../../operations/endpoints/endpoint.ts'
import { z } from 'zod'
import { pageOf } from '../../kernel/fields.ts'
import {
  requireApproval,
  denyApproval,
  maxReasonLength,
  listApprovals,
  approvalDetails,
} from '../../operations/approvals/list.ts'
import { releaseApproval } from '../../operations/approvals/release.ts'
import { pendingItemsState } from '../../operations/approvals/approvals.ts'
import { itemIdsIn } from '../../operations/approvals/items.ts'
import { isId, prefixOf } from '../../kernel/ids.ts'
import { refsOf } from '../../records/item-refs.ts'
import { invalid } from '../../kernel/refusal.ts'
import { resourceByPrefix, type ItemRef } from '../../records/resource.ts'
import { DecidedApproval, ListedApproval } from './shapes/keys.ts'
import { endpoint, type ServerEndpoint, type SignedInRequest } from './endpoint.ts'

const list = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/approvals',
  name: 'list_approvals',
  about:
    'calls of your keys that wait for approval, with what they would send, and the `items` that they refer to by id',
  input: {
    pending: z.stringbool().default(true).describe('default `true`'),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(100).optional(),
  },
  output: pageOf(ListedApproval),
  async handle({ pending, limit, cursor }, request) {
    const {
      app,
      signed: { actor },
    } = request
    if (cursor !== undefined && !isId('apr', cursor))
      throw invalid('cursor', 'not a cursor of this list.')
    const approvals = await listApprovals(app.store, app.clock.now(), {
      owner: actor.id,
      pending,
      after: cursor,
      limit: limit + 1,
    })
    const items = approvals.slice(0, limit)
    const more = approvals.length > limit ? { next_cursor: items.at(-1)!.id } : {}
    const details = items.map((item) => approvalDetails(item, app.clock.now()))
    const refs = await itemsReferenced(
      request,
      details.flatMap((item) => [...itemIdsIn(item.arguments)]),
    )
    const itemStates = await Promise.all(items.map((item) => pendingItemsState(app, item, actor)))
    const presented = details.map((item, i) => ({
      ...item,
      ...itemStates[i],
      items: [...new Set(itemIdsIn(item.arguments))].flatMap((id) => refs.get(id) ?? []),
    }))
    return { items: presented, ...more, has_more: approvals.length > limit }
  },
})

const release = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/approvals/:id/release',
  name: 'release_approval',
  about: 'makes the call, and returns its `result`',
  input: {
    items_version: z
      .string()
      .max(40)
      .optional()
      .describe('as listed: the state of the items that the person has seen'),
  },
  output: DecidedApproval,
  async handle({ items_version }, { app, signed, incoming, params: { id = '' } }) {
    const { requestId, ip, client } = incoming
    const approval = await requireApproval(app.store, id, signed.actor.id)
    const { value, callId } = await releaseApproval(
      app,
      approval,
      { transport: 'web', requestId, route: 'POST /web/approvals/{id}/release', ip, client },
      { session: signed.actor.session, itemsVersion: items_version },
    )
    const decided = await requireApproval(app.store, id, signed.actor.id)
    return new EndpointReply(
      { ...approvalDetails(decided, app.clock.now()), result: value },
      { headers: [['x-call-id', callId]] },
    )
  },
})

const deny = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/approvals/:id/deny',
  name: 'deny_approval',
  about: 'denies the call',
  logsItself: 'success',
  input: { reason: z.string().trim().max(maxReasonLength).optional() },
  output: DecidedApproval,
  async handle({ reason }, { app, signed: { actor }, from, params: { id = '' } }) {
    const { id: approvalId } = await requireApproval(app.store, id, actor.id)
    const denied = await denyApproval(app, approvalId, {
      by: actor.id,
      via: 'web',
      reason,
      from,
      check: () => app.keys.recheck(actor),
    })
    return approvalDetails(denied, app.clock.now())
  },
})

export const approvalEndpoints: readonly ServerEndpoint[] = [list, release, deny]

/** Items with these ids that the owner can see, so that the names in a call can be shown. */
function itemsReferenced(
  { app, read }: SignedInRequest,
  ids: readonly string[],
): Promise<Map<string, ItemRef>> {
  const wanted = [...new Set(ids)].map((id) => ({
    id,
    type: resourceByPrefix(prefixOf(id))!.definition.type,
  }))
  return read((ctx) => refsOf(ctx, wanted, app.baseUrl))
}
