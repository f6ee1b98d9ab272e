import { omitNullish } from '../../kernel/present.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Json } from '../../sso/scim/patch.ts'
import { ScimRefusal } from '../../sso/scim/refusals.ts'
import { answerJson, type HeaderList } from '../transport/answers.ts'
import { HttpRefusal, refuseWith } from '../transport/problem.ts'
import type { Incoming } from '../transport/request-info.ts'

const scimHeaders: HeaderList = [['content-type', 'application/scim+json; charset=utf-8']]
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

export function answerScim(
  incoming: Incoming,
  status: number,
  value: Json,
  more: HeaderList = [],
): Response {
  return answerJson(incoming, status, JSON.stringify(value), [...scimHeaders, ...more])
}

/** An invalid argument without a field is an error in the syntax of the body. */
function scimTypeOf(refusal: Refusal): string | undefined {
  if (refusal instanceof ScimRefusal) return refusal.scimType
  if (refusal.code !== 'invalid_argument') return undefined
  return refusal.more.field === undefined ? 'invalidSyntax' : 'invalidValue'
}

/** A refusal as a SCIM error. */
export function scimProblem(incoming: Incoming, refusal: Refusal): Response {
  // 429 would suggest waiting, which does not help when a plan limit is reached.
  const presented =
    refusal.code === 'plan_exceeded'
      ? new HttpRefusal(403, refusal.code, refusal.message, refusal.more)
      : refusal
  const body = {
    schemas: [errorSchema],
    status: String(presented.status),
    ...omitNullish({ scimType: scimTypeOf(refusal) }),
    detail: refusal.body().message,
  }
  return refuseWith(incoming, presented, JSON.stringify(body), scimHeaders)
}
