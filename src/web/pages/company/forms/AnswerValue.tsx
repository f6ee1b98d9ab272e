import { formTexts } from '../../../texts/en/company/forms.ts'
import type { Answer } from './AnswerTable.tsx'
import styles from './forms.module.css'

const { table: words, preview } = formTexts
type Given = Answer['answers'][number]

interface AnswerValueProps {
  answer: Given
  /** The current choices; values that are no longer among them are shown with the former ones. Absent: always. */
  options?: readonly string[] | undefined
  /** True if the original question is displayed above it. */
  withoutLabel?: boolean
}

/** Answer to a question, with the original wording in small print if it has changed since. */
export function AnswerValue({ answer, options, withoutLabel = false }: AnswerValueProps) {
  const { asked, label, value } = answer
  const chosen = [value].flat()
  const isThere = options !== undefined && chosen.every((item) => options.includes(String(item)))
  const notes = [
    asked && !withoutLabel && asked.label !== label && words.askedAs(asked.label),
    asked?.help !== undefined && words.explainedAs(asked.help),
    asked?.max !== undefined && words.scaleThen(asked.max),
    asked?.options && !isThere && words.choicesThen(asked.options),
  ].filter((note) => typeof note === 'string')
  return (
    <>
      {shownValue(value)}
      {notes.map((note) => (
        <span key={note} className={styles.then} dir="auto">
          {note}
        </span>
      ))}
    </>
  )
}

function shownValue(value: Given['value']): string {
  if (typeof value === 'boolean') return value ? preview.yes : preview.no
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'string' ? item : item.name)).join(', ')
  return String(value)
}
