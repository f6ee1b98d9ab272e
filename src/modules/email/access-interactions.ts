import { sql, type Expression } from 'kysely'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import {
  contactAddresses,
  isContactAddress,
  occurredAt,
  type InteractionFilter,
  type FoundInteraction,
} from '../contacts/shapes.ts'
import { email } from './access.ts'

/** The reader's own mail with contacts, sent and received, without bulk mail. */
export function mailWithContacts(
  viewer: Viewer,
  around: InteractionFilter,
): Expression<FoundInteraction> {
  const { all, actor } = accessScopeOf(viewer)
  const addresses = contactAddresses(viewer, around)
  let query = email
    .visibleTo(viewer)
    .where('emails.place', 'not in', ['spam', 'trash', 'drafts'])
    .where('emails.is_bulk', '=', 0)
    .where('emails.delivery', '<>', 'failed')
  const addressQuery = all
    .selectFrom('email_addresses')
    .where('email_addresses.owner_id', '=', actor.id)
    .where('email_addresses.field', 'in', ['from', 'to', 'cc'])
  if (addresses)
    query = query.where(
      'emails.id',
      'in',
      addressQuery
        .where('email_addresses.address', 'in', addresses)
        .select('email_addresses.email_id'),
    )
  else
    query = query.where((eb) =>
      eb.exists(
        addressQuery
          .where('email_addresses.email_id', '=', sql.ref<never>('emails.id'))
          .where(isContactAddress(viewer, 'email_addresses.address'))
          .select('email_addresses.address'),
      ),
    )
  if (around.after !== undefined) query = query.where('emails.sent_at', '>=', around.after)
  if (around.before !== undefined) query = query.where('emails.sent_at', '<', around.before)
  return query
    .select([
      'emails.id',
      occurredAt('emails.sent_at', addresses !== undefined),
      sql.lit('emails').as('source'),
    ])
    .$castTo<FoundInteraction>()
}
