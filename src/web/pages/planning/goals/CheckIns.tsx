import { useState, type FormEvent } from 'react'
import type { Output } from '../../../api/client.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { t } from '../../../texts/index.ts'
import { Markdown } from '../../../ui/Markdown.tsx'
import { Ago } from '../../../ui/times.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { LinkTarget } from '../../items/Section.tsx'
import planning from '../planning.module.css'
import styles from './goals.module.css'
import { confidences, resultValue } from './states.tsx'
import { progressSeries, type GoalRow } from './tree.ts'
import { checkIn } from './update.ts'

type FullGoal = Output<'get_goal'>

interface CheckInsProps {
  goal: GoalRow
  checkins: FullGoal['checkins']
  isWriting: boolean
  setWriting: (isWriting: boolean) => void
}

/** Check-ins of a goal, and the form for the next one. */
export function CheckIns({ goal, checkins, isWriting, setWriting }: CheckInsProps) {
  const { goal: texts } = t.planning
  const series = progressSeries(goal.key_results, checkins)
  return (
    <section className={planning.section}>
      <h2>
        {texts.checkins}
        {series.length > 1 && <Sparkline percents={series} />}
        {goal.status === 'active' && !isWriting && (
          <button
            type="button"
            className={planning.button}
            data-plain
            onClick={() => setWriting(true)}
          >
            {texts.checkIn} <KeyCombo command="goal.checkIn" />
          </button>
        )}
      </h2>
      {isWriting && <CheckInForm goal={goal} close={() => setWriting(false)} />}
      {checkins.length === 0 && !isWriting && (
        <p className={planning.quiet}>
          {goal.status === 'draft' ? texts.draftNote : texts.noCheckins}
        </p>
      )}
      <ol className={styles.checkins}>
        {checkins.map((checkin) => (
          <li key={checkin.id}>
            <LinkTarget id={checkin.id}>
              <div className={styles.checkinHead}>
                <Face id={checkin.author.id} name={checkin.author.title} size={18} />
                <strong dir="auto">{checkin.author.title}</strong>
                <span className={styles.confidence} data-confidence={checkin.confidence}>
                  {texts.confidenceIs(texts.confidences[checkin.confidence])}
                </span>
                <span className={planning.note}>
                  <Ago time={checkin.created_at} />
                </span>
              </div>
              <CheckInValues goal={goal} values={checkin.values} />
              {checkin.note_markdown && <Markdown text={checkin.note_markdown} parentLevel={2} />}
            </LinkTarget>
          </li>
        ))}
      </ol>
    </section>
  )
}

function CheckInValues({
  goal,
  values,
}: {
  goal: GoalRow
  values: Readonly<Record<string, number>>
}) {
  const readings = goal.key_results.flatMap((result) => {
    const value = values[result.id]
    return value === undefined ? [] : [{ result, value }]
  })
  if (readings.length === 0) return null
  return (
    <p className={styles.readings}>
      {readings.map(({ result, value }) => (
        <span key={result.id} dir="auto">
          {result.title}: <strong>{resultValue(result, value)}</strong>
        </span>
      ))}
    </p>
  )
}

/** Progress over the check-ins as a line; the numbers are in the list below. */
function Sparkline({ percents }: { percents: readonly number[] }) {
  const points = percents.map(
    (percent, index) => `${(index * 80) / (percents.length - 1)},${19 - percent * 0.18}`,
  )
  const [firstPercent, lastPercent] = [percents[0] ?? 0, percents.at(-1) ?? 0]
  return (
    <svg
      className={styles.sparkline}
      viewBox="0 0 80 20"
      role="img"
      aria-label={t.planning.goal.course(Math.floor(firstPercent), Math.floor(lastPercent))}
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}

/** One form for all manual values, the confidence and a note. */
function CheckInForm({ goal, close }: { goal: GoalRow; close: () => void }) {
  const { goal: texts } = t.planning
  const manualResults = goal.key_results.filter(
    (result) => !result.retired && result.source.kind === 'manual' && result.metric !== 'boolean',
  )
  const [typedValues, setTypedValues] = useState<Readonly<Record<string, string>>>({})
  const [confidence, setConfidence] = useState(goal.confidence ?? 'medium')
  const [note, setNote] = useState('')
  const values = Object.fromEntries(
    Object.entries(typedValues)
      .filter(([, text]) => text.trim() !== '')
      .map(([id, text]) => [id, Number(text.trim().replace(',', '.'))]),
  )
  const isReady = Object.values(values).every(Number.isFinite)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void checkIn(goal, { values, confidence, note: note.trim() })
    close()
  }
  return (
    <form className={planning.form} onSubmit={submit} data-checkin>
      {manualResults.length > 0 && (
        <div className={planning.pair}>
          {manualResults.map((result, index) => (
            <label key={result.id}>
              {result.title}
              <input
                ref={(field) => {
                  if (index === 0 && document.activeElement === document.body) field?.focus()
                }}
                value={typedValues[result.id] ?? ''}
                placeholder={resultValue(result, result.current_value)}
                inputMode="decimal"
                maxLength={20}
                onChange={(event) =>
                  setTypedValues({ ...typedValues, [result.id]: event.currentTarget.value })
                }
              />
            </label>
          ))}
        </div>
      )}
      <fieldset className={planning.choices}>
        <legend>{texts.confidence}</legend>
        {confidences.map((value) => (
          <button
            key={value}
            type="button"
            className={planning.button}
            aria-pressed={value === confidence}
            onClick={() => setConfidence(value)}
          >
            {texts.confidences[value]}
          </button>
        ))}
      </fieldset>
      <label>
        {texts.note}
        <textarea
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isReady) submit(event)
          }}
          rows={3}
          dir="auto"
        />
      </label>
      <div className={planning.choices}>
        <button type="submit" className={planning.primary} disabled={!isReady}>
          {texts.checkIn}
        </button>
        <button type="button" className={planning.button} onClick={close}>
          {t.app.cancel}
        </button>
      </div>
    </form>
  )
}
