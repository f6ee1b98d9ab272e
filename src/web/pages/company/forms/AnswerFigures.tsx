import { useState, type CSSProperties } from 'react'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { formTexts } from '../../../texts/en/company/forms.ts'
import planning from '../../planning/planning.module.css'
import type { FullForm } from './fields.ts'
import styles from './forms.module.css'

const { stats: words, preview, table } = formTexts

type FormFigures = Output<'get_form_stats'>
type FieldFigures = FormFigures['by_field'][number]
type ValueCount = NonNullable<FieldFigures['distribution']>[number]

/** The value of a question by which the answers are filtered. */
export interface ChosenValue {
  fieldId: string
  label: string
  value: ValueCount['value']
}

interface AnswerFiguresProps {
  form: FullForm
  chosen: ChosenValue | undefined
  choose: (value: ChosenValue | undefined) => void
}

/** Numbers of people who opened and submitted the form; on request, the answers to each question. */
export function AnswerFigures({ form, chosen, choose }: AnswerFiguresProps) {
  const { data } = useOperation('get_form_stats', { form_id: form.id })
  const [isOpen, setOpen] = useState(false)
  const hasCounts = data?.by_field.some(({ answered }) => answered > 0) === true
  const toggle = () => setOpen(!isOpen)
  useCommands({ 'form.counts': hasCounts ? toggle : undefined })
  if (!data) return null
  return (
    <>
      <Figures figures={data} />
      {hasCounts && (
        <button
          type="button"
          className={`${planning.button} ${styles.byQuestion}`}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {words.byQuestion}
        </button>
      )}
      {hasCounts && isOpen && (
        <section className={styles.counts} aria-label={words.byQuestion}>
          {data.by_field.map((stats) => (
            <Question
              key={stats.field_id}
              figures={stats}
              field={form.fields.find(({ id }) => id === stats.field_id)}
              chosen={chosen?.fieldId === stats.field_id ? chosen.value : undefined}
              choose={choose}
            />
          ))}
        </section>
      )}
    </>
  )
}

function Figures({ figures }: { figures: FormFigures }) {
  const { views, completed, completion_rate: rate, median_seconds: seconds, nps } = figures
  const lines = [
    [words.views, String(views)],
    [words.completed, String(completed)],
    [words.rate, `${Math.round(rate * 100)} %`],
    [words.time, seconds === undefined ? undefined : words.seconds(seconds)],
    [words.nps, nps === undefined ? undefined : String(Math.round(nps))],
  ] as const
  return (
    <dl className={planning.figures}>
      {lines
        .filter(([, value]) => value !== undefined)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

interface QuestionProps {
  figures: FieldFigures
  /** The current question; undefined if the form no longer asks it. */
  field: FullForm['fields'][number] | undefined
  chosen: ValueCount['value'] | undefined
  choose: (value: ChosenValue | undefined) => void
}

/** Frequency of each answer to a question; pressing one filters the responses by it. */
function Question({ figures, field, chosen, choose }: QuestionProps) {
  const {
    field_id: fieldId,
    label,
    answered,
    asked_otherwise: askedOtherwiseCount,
    distribution = [],
  } = figures
  const maxCount = Math.max(1, ...distribution.map(({ count }) => count))
  return (
    <div data-counts={fieldId}>
      <h2 className={styles.small} dir="auto">
        {label}
        {!field && <span className={styles.then}>{table.removed}</span>}
      </h2>
      <p className={planning.note}>{summaryOf(figures)}</p>
      {askedOtherwiseCount !== undefined && (
        <p className={planning.note}>{words.askedOtherwise(askedOtherwiseCount, answered)}</p>
      )}
      {distribution.length > 0 && (
        <ul className={styles.values}>
          {distribution.map(({ value, count }) => {
            const isRemovedOption = field?.options?.includes(String(value)) === false
            return (
              <li key={String(value)}>
                <button
                  type="button"
                  className={styles.value}
                  aria-pressed={value === chosen}
                  disabled={count === 0}
                  onClick={() => choose(value === chosen ? undefined : { fieldId, label, value })}
                  style={{ '--share': `${(100 * count) / maxCount}%` } as CSSProperties}
                >
                  <span dir="auto">
                    {formatValue(value)}
                    {isRemovedOption && (
                      <span className={styles.earlier}>{words.earlierChoice}</span>
                    )}
                  </span>
                  <span className="figures">{count}</span>
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

/** A value in the form used for answers. */
export function formatValue(value: ValueCount['value']): string {
  if (typeof value === 'boolean') return value ? preview.yes : preview.no
  return String(value)
}

function summaryOf({ answered, skipped, summary = {}, nps }: FieldFigures): string {
  const { mean, median, min, max, sum, distinct } = summary
  return [
    words.answered(answered),
    skipped > 0 && words.skipped(skipped),
    mean !== undefined && words.mean(mean),
    median !== undefined && words.median(median),
    min !== undefined && max !== undefined && words.range(min, max),
    sum !== undefined && words.sum(sum),
    distinct !== undefined && words.distinct(distinct),
    nps !== undefined && `${words.nps} ${Math.round(nps)}`,
  ]
    .filter((part) => typeof part === 'string')
    .join(' · ')
}
