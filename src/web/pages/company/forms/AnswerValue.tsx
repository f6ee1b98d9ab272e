import { formTexts } from '../../../texts/en/company/forms.ts'
import type { Answer } from './AnswerTable.tsx'
import styles from './forms.module.css'

const { table: words, preview } = formTexts
type FieldAnswer = Answer['answers'][number]

interface AnswerValueProps {
  answer: FieldAnswer
  /** The current choices. If a value is not among them, the former choices are shown; without this, always. */
  options?: readonly string[] | undefined
  /** True if the original question is displayed above it. */
  withoutLabel?: boolean
}

/** Answer to a question, with the original wording in small print if it has changed since. */
export function AnswerValue({ answer, options, withoutLabel = false }: AnswerValueProps) {
  const { asked, label, value } = answer
  const values = [value].flat()
  const isCurrent = options !== undefined && values.every((item) => options.includes(String(item)))
  const notes = [
    asked && !withoutLabel && asked.label !== label && words.askedAs(asked.label),
    asked?.help !== undefined && words.explainedAs(asked.help),
    asked?.max !== undefined && words.scaleThen(asked.max),
    asked?.options && !isCurrent && words.choicesThen(asked.options),
  ].filter((note) => typeof note === 'string')
  return (
    <>
      {formatValue(value)}
      {notes.map((note) => (
        <span key={note} className={styles.then} dir="auto">
          {note}
        </span>
      ))}
    </>
  )
}

function formatValue(value: FieldAnswer['value']): string {
  if (typeof value === 'boolean') return value ? preview.yes : preview.no
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'string' ? item : item.name)).join(', ')
  return String(value)
}
