import { IconCode, IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { automationTexts as words } from '../../../../texts/en/company/automations.ts'
import { filterChoices, Picker } from '../../../../ui/work/Picker.tsx'
import styles from '../automations.module.css'
import { ExpressionField } from './CompletedText.tsx'
import { namesFor, type Completion } from './completion.ts'
import {
  comparisons,
  readCondition,
  writeCondition,
  type Comparison,
  type SimpleCondition,
} from './conditions.ts'
import { PickerButton } from '../../../../ui/actions/PickerButton.tsx'
import { replaceAt } from './plan.ts'

const maxConditions = 20

interface ConditionListProps {
  conditions: readonly string[]
  change: (conditions: readonly string[]) => void
  /** The fields of the event's item. */
  fields: readonly Completion[]
}

/** Conditions for an automation to act: one per line. */
export function ConditionList({ conditions, change, fields }: ConditionListProps) {
  const defaultField = fields.find(({ text }) => text === 'title' || text === 'name') ?? fields[0]
  const add = () =>
    change([
      ...conditions,
      defaultField ? writeCondition({ field: defaultField.text, comparison: 'isSet' }) : 'true',
    ])
  return (
    <div className={styles.lines}>
      {conditions.length === 0 && <p className={styles.note}>{words.always}</p>}
      {conditions.map((expression, index) => (
        <Condition
          key={words.condition(index + 1)}
          label={words.condition(index + 1)}
          path={`conditions.${index}.expression`}
          expression={expression}
          change={(next) => change(replaceAt(conditions, index, next))}
          fields={fields}
        />
      ))}
      {conditions.length < maxConditions && (
        <button type="button" className={styles.add} onClick={add}>
          <IconPlus size={14} aria-hidden />
          {words.addCondition}
        </button>
      )}
    </div>
  )
}

interface ConditionProps {
  label: string
  path: string
  expression: string
  /** `undefined` removes the condition. */
  change: (expression: string | undefined) => void
  fields: readonly Completion[]
}

function Condition({ label, path, expression, change, fields }: ConditionProps) {
  const [isExpression, setIsExpression] = useState(false)
  const simple = isExpression ? undefined : readCondition(expression)
  return (
    <fieldset className={styles.line} aria-label={label}>
      {simple ? (
        <SimpleParts
          condition={simple}
          change={(next) => change(writeCondition(next))}
          fields={fields}
        />
      ) : (
        <ExpressionField
          label={words.expression}
          path={path}
          value={expression}
          change={change}
          names={namesFor(fields)}
          maxLength={2000}
        />
      )}
      {simple && (
        <button
          type="button"
          className={styles.tool}
          title={words.asExpression}
          aria-label={words.asExpression}
          onClick={() => setIsExpression(true)}
        >
          <IconCode size={15} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className={styles.tool}
        title={words.remove(label)}
        aria-label={words.remove(label)}
        onClick={() => change(undefined)}
      >
        <IconX size={15} aria-hidden />
      </button>
    </fieldset>
  )
}

interface SimplePartsProps {
  condition: SimpleCondition
  change: (condition: SimpleCondition) => void
  fields: readonly Completion[]
}

function SimpleParts({ condition, change, fields }: SimplePartsProps) {
  const hasValue = condition.comparison !== 'isSet' && condition.comparison !== 'isNotSet'
  return (
    <>
      <PickerButton
        className={styles.choice}
        aria-label={`${words.field}: ${condition.field}`}
        list={(anchor, close) => (
          <Picker
            anchor={anchor}
            label={words.findField}
            choices={(query) =>
              filterChoices(
                fields.map(({ text, about }) => ({
                  value: text,
                  label: describePath(text),
                  hint: about,
                  isChosen: text === condition.field,
                })),
                query,
              )
            }
            choose={(field) => change({ ...condition, field })}
            close={close}
          />
        )}
      >
        {describePath(condition.field)}
      </PickerButton>
      <select
        className={styles.choice}
        value={condition.comparison}
        aria-label={words.comparison}
        onChange={(event) =>
          change({ ...condition, comparison: event.currentTarget.value as Comparison })
        }
      >
        {comparisons.map((name) => (
          <option key={name} value={name}>
            {words.comparisons[name]}
          </option>
        ))}
      </select>
      {hasValue && (
        <input
          className={styles.text}
          value={String(condition.value ?? '')}
          aria-label={words.value}
          onChange={(event) =>
            change({ ...condition, value: parseConstant(event.currentTarget.value) })
          }
          maxLength={500}
          autoComplete="off"
          dir="auto"
        />
      )}
    </>
  )
}

/** `project.title` in readable form. */
const describePath = (field: string) => field.replaceAll('_', ' ').replaceAll('.', ' › ')

/** Numbers and booleans are compared as such. */
function parseConstant(text: string): string | number | boolean {
  if (/^-?(0|[1-9]\d{0,14})(\.\d*[1-9])?$/.test(text)) return Number(text)
  return text === 'true' || (text === 'false' ? false : text)
}
