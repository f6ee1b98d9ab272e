import { formTexts } from '../../../texts/en/company/forms.ts'
import { conditionValue, optionsOf, type FieldDraft } from './fields.ts'
import styles from './forms.module.css'

const { condition: words } = formTexts
type Condition = NonNullable<FieldDraft['showIf']>
const ops = ['equals', 'not_equals', 'contains', 'greater', 'less', 'answered'] as const

interface ConditionFieldsProps {
  draft: FieldDraft
  earlier: readonly FieldDraft[]
  change: (draft: FieldDraft) => void
}

/** The condition of a question as a sentence of selects: always, or only for certain answers to an earlier question. */
export function ConditionFields({ draft, earlier, change }: ConditionFieldsProps) {
  const { showIf } = draft
  const savedFields = earlier.filter(({ id }) => id !== undefined)
  if (savedFields.length === 0) return null
  const dependency = savedFields.find(({ id }) => id === showIf?.field_id)
  const set = (condition: Condition | undefined) => change({ ...draft, showIf: condition })
  return (
    <div className={styles.condition}>
      <select
        aria-label={words.label}
        value={showIf?.field_id ?? ''}
        onChange={(event) => {
          const id = event.currentTarget.value
          set(id === '' ? undefined : { field_id: id, op: 'answered' })
        }}
      >
        <option value="">{`${words.label} ${words.always}`}</option>
        {savedFields.map(({ key, id, label }) => (
          <option key={key} value={id}>
            {`${words.only} “${label}”`}
          </option>
        ))}
      </select>
      {showIf && dependency && (
        <ConditionOperator condition={showIf} dependency={dependency} set={set} />
      )}
    </div>
  )
}

interface ConditionOperatorProps {
  condition: Condition
  /** The question that it depends on. */
  dependency: FieldDraft
  set: (condition: Condition) => void
}

function ConditionOperator({ condition, dependency, set }: ConditionOperatorProps) {
  const choices = answerChoicesOf(dependency)
  const defaultValue = conditionValue(dependency.type, choices?.[0]?.value ?? '')
  const chooseOp = (op: Condition['op']) => {
    if (op === 'answered') set({ field_id: condition.field_id, op })
    else set({ ...condition, op, value: condition.value ?? defaultValue })
  }
  const setValue = (text: string) =>
    set({ ...condition, value: conditionValue(dependency.type, text) })
  return (
    <>
      <select
        aria-label={words.how}
        value={condition.op}
        onChange={(event) => chooseOp(event.currentTarget.value as Condition['op'])}
      >
        {ops.map((op) => (
          <option key={op} value={op}>
            {words.ops[op]}
          </option>
        ))}
      </select>
      {condition.op !== 'answered' && choices && (
        <select
          aria-label={words.value}
          value={String(condition.value)}
          onChange={(event) => setValue(event.currentTarget.value)}
        >
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      {condition.op !== 'answered' && !choices && (
        <input
          aria-label={words.value}
          type={typeof defaultValue === 'number' ? 'number' : 'text'}
          value={String(condition.value ?? '')}
          onChange={(event) => setValue(event.currentTarget.value)}
          maxLength={500}
        />
      )}
    </>
  )
}

/** Possible answers to a question, if they are a list. */
function answerChoicesOf(field: FieldDraft): { value: string; label: string }[] | undefined {
  if (field.type === 'yes_no')
    return [
      { value: 'true', label: words.yes },
      { value: 'false', label: words.no },
    ]
  if (field.type !== 'select' && field.type !== 'multi_select') return undefined
  return optionsOf(field).map((value) => ({ value, label: value }))
}
