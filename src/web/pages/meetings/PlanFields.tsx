import type { Input } from '../../api/client.ts'
import { meetingTexts } from '../../texts/en/company/meetings.ts'
import planning from '../planning/planning.module.css'
import { useProjects } from '../tasks/data/lists.ts'

const { form: words, kinds: kindWords } = meetingTexts
const kinds = ['meeting', 'one_on_one', 'standup', 'customer'] as const

/** Form values of a meeting. */
export interface MeetingDraft {
  title: string
  kind: NonNullable<Input<'create_meeting'>['kind']>
  project: string
  starts: string
  ends: string
  participants: string
  agenda: string
  visibility: NonNullable<Input<'create_meeting'>['visibility']>
}

interface PlanFieldsProps {
  draft: MeetingDraft
  change: (patch: Partial<MeetingDraft>) => void
}

/** Fields set only when a meeting is created. */
export function PlanFields({ draft, change }: PlanFieldsProps) {
  const projects = useProjects()
  return (
    <>
      <TimeFields draft={draft} change={change} />
      <div className={planning.pair}>
        <SelectField
          label={words.kind}
          value={draft.kind}
          options={kinds.map((value) => ({ value, label: kindWords[value] }))}
          set={(kind) => change({ kind })}
        />
        <SelectField
          label={words.project}
          value={draft.project}
          options={[
            { value: '', label: words.noProject },
            ...projects.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          set={(project) =>
            change({
              project,
              ...(draft.visibility === 'project' && { visibility: 'participants' }),
            })
          }
        />
      </div>
    </>
  )
}

/** Time of a meeting; editable while it is planned. */
export function TimeFields({ draft, change }: PlanFieldsProps) {
  return (
    <div className={planning.pair}>
      <TimeField label={words.starts} value={draft.starts} set={(starts) => change({ starts })} />
      <TimeField label={words.ends} value={draft.ends} set={(ends) => change({ ends })} />
    </div>
  )
}

interface FieldProps<V extends string> {
  label: string
  value: V
  set: (value: V) => void
}

function TimeField({ label, value, set }: FieldProps<string>) {
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
      />
    </label>
  )
}

interface SelectFieldProps<V extends string> extends FieldProps<V> {
  options: readonly { value: V; label: string }[]
}

/** A select field. */
export function SelectField<V extends string>({ label, value, options, set }: SelectFieldProps<V>) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => set(event.currentTarget.value as V)}>
        {options.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  )
}
