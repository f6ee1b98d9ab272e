import type { ScimCaller } from '../../sso/scim/caller.ts'
import type { Json } from '../../sso/scim/patch.ts'
import type { Incoming } from '../transport/request-info.ts'
import { answerScim } from './answers.ts'

export interface ScimRequest {
  caller: ScimCaller
  incoming: Incoming
  params: URLSearchParams
}

/** What can be done with one kind of resource. */
export interface Resource {
  /** In the call log. */
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
