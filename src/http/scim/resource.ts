import type { ListQuery } from '../../sso/scim/access-conditions.ts'
import type { ScimCaller } from '../../sso/scim/caller.ts'
import type { Json } from '../../sso/scim/patch.ts'
import { scimUrl } from '../../sso/scim/present.ts'
import type { Incoming } from '../transport/request-info.ts'
import { answerScim } from './answers.ts'
import { listQueryIn, selectAttributes } from './query.ts'

export interface ScimRequest {
  caller: ScimCaller
  incoming: Incoming
  params: URLSearchParams
}

export interface Resource {
  /** Name in the call log. */
  noun: string
  list(request: ScimRequest): Promise<Response>
  read(request: ScimRequest, id: string): Promise<Response>
  create(request: ScimRequest, body: unknown): Promise<Response>
  replace(request: ScimRequest, id: string, body: unknown): Promise<Response>
  change(request: ScimRequest, id: string, body: unknown): Promise<Response>
  remove(request: ScimRequest, id: string): Promise<Response>
}

export function listAnswer(
  incoming: Incoming,
  items: readonly Json[],
  { total, startIndex }: { total: number; startIndex: number },
): Response {
  return answerScim(incoming, 200, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: items.length,
    Resources: items,
  })
}

export interface Presentation<R extends { id: string }> {
  /** Path segment in addresses. */
  path: 'Users' | 'Groups'
  present(request: ScimRequest, rows: readonly R[]): Promise<Json[]>
}

/** One page of the requested rows. @throws ScimRefusal */
export async function answerPage<R extends { id: string }>(
  request: ScimRequest,
  { present }: Presentation<R>,
  find: (query: ListQuery) => Promise<{ total: number; rows: R[] }>,
): Promise<Response> {
  const { incoming, params } = request
  const query = listQueryIn(params)
  const { total, rows } = await find(query)
  const items = await present(request, rows)
  return listAnswer(
    incoming,
    items.map((item) => selectAttributes(item, params)),
    { total, startIndex: query.startIndex },
  )
}

/** One resource, with its address. */
export async function answerOne<R extends { id: string }>(
  request: ScimRequest,
  { path, present }: Presentation<R>,
  row: R,
  status = 200,
): Promise<Response> {
  const { caller, incoming, params } = request
  const [item = {}] = await present(request, [row])
  return answerScim(incoming, status, selectAttributes(item, params), [
    ['location', `${scimUrl(caller.app.baseUrl)}/${path}/${row.id}`],
  ])
}
