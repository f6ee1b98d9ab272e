import type { ReactNode } from 'react'
import { formTexts } from '../../../texts/en/company/forms.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { OutsideBadge } from '../../../ui/Outside.tsx'
import { Ago } from '../../../ui/times.tsx'
import planning from '../../planning/planning.module.css'
import type { Answer } from './AnswerTable.tsx'
import { AnswerValue } from './AnswerValue.tsx'
import type { AnswerColumn } from './fields.ts'
import styles from './forms.module.css'

const { table: words } = formTexts

interface AnswerRowProps {
  answer: Answer
  columns: readonly AnswerColumn[]
  createTask: () => void
  erase: () => void
}

/** Response of one person, and the item created from it. Text by strangers is shown as plain text. */
export function AnswerRow({ answer, columns, createTask, erase }: AnswerRowProps) {
  const { respondent } = answer
  return (
    <tr data-answer={answer.id}>
      <td>
        <AppLink to={`/forms/${answer.form.id}/responses/${answer.id}`} data-row>
          <Ago time={answer.submitted_at} />
        </AppLink>
      </td>
      <td>
        <span dir="auto">{respondent?.name ?? respondent?.email ?? words.anonymous}</span>{' '}
        {answer.trust === 'external' && <OutsideBadge />}
      </td>
      {columns.map(({ id, options = [] }) => (
        <td key={id} className={styles.answer} dir="auto">
          {answer.answers
            .filter((item) => item.field_id === id)
            .map((item) => (
              <AnswerValue key={id} answer={item} options={options} />
            ))}
        </td>
      ))}
      <td>
        <span className={styles.became}>
          <AnswerResult answer={answer} />
          <button type="button" className={planning.button} data-plain onClick={createTask}>
            {words.toTask}
          </button>
          <button type="button" className={planning.button} data-plain onClick={erase}>
            {words.erase}
          </button>
        </span>
      </td>
    </tr>
  )
}

/** The item created from an answer, or the reason that there is none. */
export function AnswerResult({ answer }: { answer: Answer }): ReactNode {
  if (answer.created_item) return <ItemLink item={answer.created_item} />
  if (answer.destination?.state === 'failed')
    return <span className={styles.problem}>{words.failed(answer.destination.error ?? '')}</span>
  return answer.destination?.state === 'waiting' ? <span>{words.waiting}</span> : null
}
