import { formTexts } from '../../../texts/en/company/forms.ts'
import { focusOnMount } from '../../../ui/work/focus.ts'
import planning from '../../planning/planning.module.css'
import incidents from '../incidents/incidents.module.css'
import { ConditionFields } from './ConditionFields.tsx'
import { formFieldTypes, hasLimits, hasOptions, type FieldDraft, type FieldType } from './fields.ts'
import styles from './forms.module.css'

const { builder: words, types } = formTexts

interface FieldEditorProps {
  draft: FieldDraft
  earlier: readonly FieldDraft[]
  /** Number of answers. With any, the type is fixed; they keep the wording that they were given for. */
  answered: number
  change: (draft: FieldDraft) => void
}

export function FieldEditor({ draft, earlier, answered, change }: FieldEditorProps) {
  const set = (patch: Partial<FieldDraft>) => change({ ...draft, ...patch })
  return (
    <div className={`${planning.form} ${styles.editor}`}>
      {answered > 0 && <p className={planning.note}>{words.answered(answered)}</p>}
      <label>
        {words.question}
        <input
          ref={focusOnMount}
          value={draft.label}
          onChange={(event) => set({ label: event.currentTarget.value })}
          maxLength={500}
          dir="auto"
        />
      </label>
      <label>
        {words.help}
        <input
          value={draft.help}
          onChange={(event) => set({ help: event.currentTarget.value })}
          maxLength={2000}
          dir="auto"
        />
      </label>
      <label>
        {words.type}
        <select
          value={draft.type}
          disabled={answered > 0}
          onChange={(event) => set({ type: event.currentTarget.value as FieldType })}
        >
          {formFieldTypes.map((type) => (
            <option key={type} value={type}>
              {types[type]}
            </option>
          ))}
        </select>
      </label>
      {hasOptions(draft.type) && (
        <label>
          {words.options}
          <textarea
            value={draft.options}
            onChange={(event) => set({ options: event.currentTarget.value })}
            rows={4}
            dir="auto"
          />
        </label>
      )}
      {hasLimits(draft.type) && (
        <div className={planning.pair}>
          {(['min', 'max'] as const).map((name) => (
            <label key={name}>
              {words[name]}
              <input
                type="number"
                value={draft[name]}
                onChange={(event) => set({ [name]: event.currentTarget.value })}
              />
            </label>
          ))}
        </div>
      )}
      <label className={incidents.tick}>
        <input
          type="checkbox"
          checked={draft.required}
          onChange={(event) => set({ required: event.currentTarget.checked })}
        />
        {words.required}
      </label>
      <ConditionFields draft={draft} earlier={earlier} change={change} />
    </div>
  )
}
