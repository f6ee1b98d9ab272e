import { contactImport as words } from '../../../texts/en/company/import.ts'
import styles from '../../company/contacts/contacts.module.css'
import imports from '../imports.module.css'
import type { ContactPlan } from './data.ts'

/** Preview of a file's records: the number of each kind, and the first ones. */
export function ContactPreview({ plan: { counts, records, preview = [] } }: { plan: ContactPlan }) {
  return (
    <>
      <p className={imports.said} role="status">
        {words.counts(records, counts)}
      </p>
      {preview.length > 0 && (
        <div className={styles.scroll}>
          <table className={styles.merge}>
            <thead>
              <tr>
                {words.heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {preview.map(({ line, action, name, emails, phones, company }) => (
                <tr key={line}>
                  <td>{line}</td>
                  <td>{words.actions[action]}</td>
                  <td dir="auto">{name}</td>
                  <td>{emails.join(', ')}</td>
                  <td>{phones.join(', ')}</td>
                  <td dir="auto">{company}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
