import { sql, type Expression } from 'kysely'
import type { Viewer } from '../../records/access-scope.ts'
import {
  contactAddresses,
  isContactAddress,
  occurredAt,
  type InteractionFilter,
  type FoundInteraction,
} from '../contacts/shapes.ts'
import { formResponse } from './access.ts'

/** Form responses that contacts submitted. */
export function contactResponses(
  viewer: Viewer,
  around: InteractionFilter,
): Expression<FoundInteraction> {
  const addresses = contactAddresses(viewer, around)
  let query = formResponse.visibleTo(viewer)
  query = addresses
    ? query.where('form_responses.respondent_email', 'in', addresses)
    : query.where(isContactAddress(viewer, 'form_responses.respondent_email'))
  if (around.after !== undefined)
    query = query.where('form_responses.created_at', '>=', around.after)
  if (around.before !== undefined)
    query = query.where('form_responses.created_at', '<', around.before)
  return query
    .select([
      'form_responses.id',
      occurredAt('form_responses.created_at', addresses !== undefined),
      sql.lit('form_responses').as('source'),
    ])
    .$castTo<FoundInteraction>()
}
