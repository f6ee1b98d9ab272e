import { useId } from 'react'
import type { Input } from '../../../api/client.ts'
import { formTexts } from '../../../texts/en/company/forms.ts'
import planning from '../../planning/planning.module.css'
import { useProjects } from '../../tasks/data/lists.ts'
import type { FullForm } from './fields.ts'
import styles from './forms.module.css'

const { settings: words } = formTexts
type Destination = NonNullable<Input<'create_form'>['destination']>
type MappedName = keyof typeof words.mapping

export interface DestinationDraft {
  kind: Destination['kind']
  mapping: Readonly<Record<string, string>>
}

const kinds = ['none', 'task', 'contact', 'deal', 'incident', 'webhook'] as const
const mappedNames: Readonly<Record<Destination['kind'], readonly MappedName[]>> = {
  none: [],
  task: ['project_id', 'title', 'description_markdown'],
  contact: ['name', 'emails'],
  deal: ['name', 'amount'],
  incident: ['title', 'severity', 'summary_markdown'],
  webhook: ['webhook_id'],
}

export function destinationOf({ kind, mapping }: DestinationDraft): Destination {
  const mappedEntries = Object.entries(mapping).filter(([, value]) => value.trim() !== '')
  return kind === 'none' ? { kind } : { kind, mapping: Object.fromEntries(mappedEntries) }
}

interface DestinationFieldsProps {
  form: FullForm
  destination: DestinationDraft
  set: (destination: DestinationDraft) => void
}

/** Chooses the item created from an answer, and its field mapping. */
export function DestinationFields({ form, destination, set }: DestinationFieldsProps) {
  const { kind, mapping } = destination
  const id = useId()
  const setMapping = (name: string, value: string) =>
    set({ kind, mapping: { ...mapping, [name]: value } })
  const names = [...new Set<string>([...mappedNames[kind], ...Object.keys(mapping)])]
  return (
    <fieldset className={styles.destination}>
      <legend>{words.becomes}</legend>
      <select
        aria-label={words.becomes}
        value={kind}
        onChange={(event) =>
          set({ kind: event.currentTarget.value as Destination['kind'], mapping: {} })
        }
      >
        {kinds.map((value) => (
          <option key={value} value={value}>
            {words.kinds[value]}
          </option>
        ))}
      </select>
      {kind !== 'none' && (
        <>
          {names.map((name) => (
            <label key={name} htmlFor={`${id}-${name}`}>
              {name in words.mapping ? words.mapping[name as MappedName] : name}
              <MappedField
                id={`${id}-${name}`}
                name={name}
                value={mapping[name] ?? ''}
                setMapping={setMapping}
              />
            </label>
          ))}
          <p className={planning.note}>
            {words.hint}{' '}
            {form.fields.map(({ id }) => (
              <code key={id} className={styles.code}>{`{{${id}}}`}</code>
            ))}
          </p>
        </>
      )}
    </fieldset>
  )
}

interface MappedFieldProps {
  id: string
  name: string
  value: string
  setMapping: (name: string, value: string) => void
}

function MappedField({ id, name, value, setMapping }: MappedFieldProps) {
  const projects = useProjects()
  if (name !== 'project_id')
    return (
      <input
        id={id}
        value={value}
        onChange={(event) => setMapping(name, event.currentTarget.value)}
        maxLength={2000}
        dir="auto"
      />
    )
  return (
    <select id={id} value={value} onChange={(event) => setMapping(name, event.currentTarget.value)}>
      <option value="" />
      {projects.map(({ id, key, name: title }) => (
        <option key={id} value={key}>
          {title}
        </option>
      ))}
    </select>
  )
}
