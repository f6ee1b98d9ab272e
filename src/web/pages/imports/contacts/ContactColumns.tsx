import { contactImport as words } from '../../../texts/en/company/import.ts'
import styles from '../../company/contacts/contacts.module.css'
import type { ContactPlan } from './data.ts'

type Columns = NonNullable<ContactPlan['columns']>

const fields = Object.keys(words.fields) as (keyof typeof words.fields)[]
const customPrefix = 'custom_fields.'

interface ContactColumnsProps {
  columns: Columns
  choose: (column: string, field: string | null) => void
}

/** Target of each column in a file, recognized by its name until changed. */
export function ContactColumns({ columns, choose }: ContactColumnsProps) {
  return (
    <fieldset className={styles.columns}>
      <legend>{words.columns}</legend>
      {columns.map(({ column, field }) => (
        <label key={column}>
          <span dir="auto">{column}</span>
          <select
            value={field ?? ''}
            onChange={(event) => choose(column, event.currentTarget.value || null)}
          >
            <option value="">{words.leaveOut}</option>
            {fields.map((name) => (
              <option key={name} value={name}>
                {words.fields[name]}
              </option>
            ))}
            <option value={field?.startsWith(customPrefix) ? field : `${customPrefix}${column}`}>
              {words.ownField(column)}
            </option>
          </select>
        </label>
      ))}
    </fieldset>
  )
}
