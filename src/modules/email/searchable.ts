import { searchable } from '../../operations/search/searchable.ts'
import { email } from './access.ts'
import { hasRecipient, ownMailboxes } from './messages/access-queries.ts'

/** Mail with its account as container; people are sender and recipients. Text by others is external. */
export const searchableEmails = searchable({
  kind: 'email',
  source: 'emails with the text of their attachments',
  resource: email,
  containers: ownMailboxes,
  narrow(_, emails, { project, person }) {
    if (project) return undefined // mail belongs to no project
    return person ? emails.where(hasRecipient(['from', 'to', 'cc'], person.email)) : emails
  },
  async facts(_, rows) {
    const name = (item: { name?: string | null | undefined; email: string }) =>
      item.name || item.email
    return new Map(
      rows.map((row) => {
        const { to = [] } = JSON.parse(row.addresses_json) as {
          to?: { name?: string; email: string }[]
        }
        return [
          row.id,
          {
            people: [
              name({ name: row.from_name, email: row.from_email }),
              ...to.slice(0, 10).map(name),
            ],
            trust: row.is_own === 1 ? ('internal' as const) : ('external' as const),
          },
        ]
      }),
    )
  },
})
