import { Anchor } from '@mantine/core'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import styles from './contacts.module.css'
import type { ContactRow } from './data.ts'

/** Company and contact details: links that open the company, write and call. */
export function ContactLinks({ contact: { company, emails, phones } }: { contact: ContactRow }) {
  if (!company && emails.length + phones.length === 0) return null
  return (
    <ul className={styles.links}>
      {company && (
        <li>
          <ItemLink item={company} />
        </li>
      )}
      {emails.map((email) => (
        <li key={email}>
          <Anchor href={`mailto:${email}`} size="sm">
            {email}
          </Anchor>
        </li>
      ))}
      {phones.map((phone) => (
        <li key={phone}>
          <Anchor href={`tel:${phone}`} size="sm">
            {phone}
          </Anchor>
        </li>
      ))}
    </ul>
  )
}
