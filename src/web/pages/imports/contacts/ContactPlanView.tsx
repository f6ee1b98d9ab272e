import { useId, useState } from 'react'
import { contactImport as words } from '../../../texts/en/company/import.ts'
import { importTexts } from '../../../texts/en/imports/imports.ts'
import { Problem } from '../../../ui/states.tsx'
import contacts from '../../company/contacts/contacts.module.css'
import planning from '../../planning/planning.module.css'
import styles from '../imports.module.css'
import type { ImportSource } from '../source.ts'
import { ContactColumns } from './ContactColumns.tsx'
import { ContactPreview } from './ContactPreview.tsx'
import { ContactRemarks } from './ContactRemarks.tsx'
import { useContactPlan, type ContactOptions, type ContactPlan } from './data.ts'

interface ContactPlanViewProps {
  source: ImportSource
  begin: (options: ContactOptions) => void
}

/** Planned import of a file, its column mapping, and the button that starts it. */
export function ContactPlanView({ source, begin }: ContactPlanViewProps) {
  const [options, setOptions] = useState<ContactOptions>({ mapping: {}, on_match: 'update' })
  const planQuery = useContactPlan(source, options)
  const plan = planQuery.error ? undefined : planQuery.data
  const count = plan ? plan.counts.created + plan.counts.updated : 0
  return (
    <>
      {planQuery.isPending && (
        <p className={styles.said} role="status">
          {importTexts.reading}
        </p>
      )}
      {planQuery.error && <Problem error={planQuery.error} />}
      {planQuery.data?.columns && (
        <ContactColumns
          columns={planQuery.data.columns}
          choose={(column, field) =>
            setOptions({ ...options, mapping: { ...options.mapping, [column]: field } })
          }
        />
      )}
      <SkipField
        skips={options.on_match === 'skip'}
        setSkips={(skips) => setOptions({ ...options, on_match: skips ? 'skip' : 'update' })}
      />
      {plan && (
        <>
          <ContactPreview plan={plan} />
          <ContactRemarks plan={plan} />
        </>
      )}
      <button
        type="button"
        className={planning.primary}
        disabled={count === 0 || planQuery.isPlaceholderData}
        onClick={() => begin(options)}
      >
        {plan && isPartial(plan) ? words.actionOnAll(plan.records) : words.action(count)}
      </button>
    </>
  )
}

/** True if only the first records of a large file were compared with existing ones. */
const isPartial = ({ counts, records }: ContactPlan) =>
  Object.values(counts).reduce((sum, n) => sum + n) < records

interface SkipFieldProps {
  skips: boolean
  setSkips: (skips: boolean) => void
}

function SkipField({ skips, setSkips }: SkipFieldProps) {
  const id = useId()
  return (
    <div className={contacts.tick}>
      <input
        id={id}
        type="checkbox"
        checked={skips}
        onChange={(event) => setSkips(event.currentTarget.checked)}
      />
      <label htmlFor={id}>{words.skip}</label>
    </div>
  )
}
