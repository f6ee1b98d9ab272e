import { sql, type Expression } from 'kysely'
import type { Viewer } from '../../records/access-scope.ts'
import {
  contactAddresses,
  isContactAddress,
  occurredAt,
  type Around,
  type FoundInteraction,
} from '../contacts/shapes.ts'
import { formResponse } from './access.ts'

/** What contacts answered to forms. */
export function answered(from: Viewer, around: Around): Expression<FoundInteraction> {
  const addresses = contactAddresses(from, around)
  let found = formResponse.visibleTo(from)
  found = addresses
    ? found.where('form_responses.respondent_email', 'in', addresses)
    : found.where(isContactAddress(from, 'form_responses.respondent_email'))
  if (around.after !== undefined)
    found = found.where('form_responses.created_at', '>=', around.after)
  if (around.before !== undefined)
    found = found.where('form_responses.created_at', '<', around.before)
  return found
    .select([
      'form_responses.id',
      occurredAt('form_responses.created_at', addresses !== undefined),
      sql.lit('form_responses').as('kept'),
    ])
    .$castTo<FoundInteraction>()
}
