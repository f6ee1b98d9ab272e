import { useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import { tooltipOf } from '../../../keys/tooltip.ts'
import { pulseTexts } from '../../../texts/en/company/pulses.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { addDays, longDay } from '../../../ui/work/days.ts'
import { Links } from '../../items/Facts.tsx'
import { ItemSection } from '../../items/Section.tsx'
import planning from '../../planning/planning.module.css'
import type { PulseData, PulseReportData } from './data.ts'
import styles from './pulses.module.css'
import { QuestionResult } from './QuestionResult.tsx'

const { report: words, answered } = pulseTexts

/** One round at a time, newest first: answers, blockers, and people who have not answered. */
export function PulseReport({ pulse }: { pulse: PulseData }) {
  /** The days of the rounds navigated back to, earliest last. */
  const [visitedDays, setVisitedDays] = useState<readonly string[]>([])
  const lastDay = visitedDays.at(-1)
  const reportQuery = useOperation('get_pulse_report', {
    pulse_id: pulse.id,
    limit: 1,
    ...(lastDay !== undefined && { to: lastDay }),
  })
  const roundDay = reportQuery.data?.rounds[0]?.on
  const openEarlier =
    reportQuery.data?.has_more === true && roundDay !== undefined
      ? () => setVisitedDays([...visitedDays, addDays(roundDay, -1)])
      : undefined
  const openLater =
    visitedDays.length > 0 ? () => setVisitedDays(visitedDays.slice(0, -1)) : undefined
  useCommands({ 'period.previous': openEarlier, 'period.next': openLater })
  return (
    <ItemSection title={words.title}>
      <div className={styles.line}>
        {(
          [
            ['period.previous', words.earlier, openEarlier],
            ['period.next', words.later, openLater],
          ] as const
        ).map(([command, label, run]) => (
          <button
            key={command}
            type="button"
            className={planning.button}
            title={tooltipOf(command)}
            disabled={run === undefined}
            onClick={() => runCommand(command)}
          >
            {label}
          </button>
        ))}
      </div>
      <QueryContent query={reportQuery}>{(report) => <Round report={report} />}</QueryContent>
    </ItemSection>
  )
}

function Round({ report }: { report: PulseReportData }) {
  const [round] = report.rounds
  if (!round) return <p className={planning.quiet}>{words.noRounds}</p>
  return (
    <section className={styles.report} aria-label={pulseTexts.round.title(longDay(round.on))}>
      <p className={styles.line}>
        <strong>{longDay(round.on)}</strong>
        <span>{answered(round.answered, round.expected)}</span>
        {round.closed_at === undefined && <span className={planning.note}>{words.open}</span>}
        {round.meeting && <ItemLink item={round.meeting} />}
      </p>
      {round.withheld !== undefined && <p className={planning.quiet}>{round.withheld}</p>}
      <Blockers blockers={report.blockers} />
      {report.missing.length > 0 && (
        <>
          <h3>{words.missing}</h3>
          <Links items={report.missing} />
        </>
      )}
      {round.withheld === undefined &&
        report.questions.map((question) => (
          <QuestionResult
            key={question.id}
            question={question}
            score={round.scores[question.id]}
            trend={report.trends[question.id]}
            answers={report.answers}
          />
        ))}
    </section>
  )
}

function Blockers({ blockers }: { blockers: PulseReportData['blockers'] }) {
  if (blockers.length === 0) return null
  const keyedBlockers = blockers.map((blocker, n) => ({ ...blocker, key: String(n) }))
  return (
    <>
      <h3>{words.blockers}</h3>
      <ul className={styles.answers} data-blockers>
        {keyedBlockers.map(({ key, text, person, task, more_tasks: more = [] }) => (
          <li key={key}>
            {person && <ItemLink item={person} />}
            <span className={styles.answer} dir="auto">
              {text}
            </span>
            {task && <Links items={[task, ...more]} />}
          </li>
        ))}
      </ul>
    </>
  )
}
