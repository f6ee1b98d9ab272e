import { useOperation } from '../../../api/queries.ts'
import { useMe } from '../../../session/session.ts'
import { pulseTexts } from '../../../texts/en/company/pulses.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { longDay } from '../../../ui/work/days.ts'
import { ItemSection } from '../../items/Section.tsx'
import planning from '../../planning/planning.module.css'
import { AnswerForm } from './AnswerForm.tsx'
import type { PulseData } from './data.ts'
import styles from './pulses.module.css'

const { round: words, answered } = pulseTexts

/** The round that is open for answers, or when the next one opens. */
export function OpenRound({ pulse }: { pulse: PulseData }) {
  const { open_round: round, next_at: next } = pulse
  if (!round)
    return (
      <p className={planning.quiet}>
        {words.none} {next !== undefined && words.next(formatMoment(next))}
      </p>
    )
  return (
    <ItemSection title={words.title(longDay(round.on))}>
      <p className={styles.line}>
        <span>{answered(round.answered, round.expected)}</span>
        {round.closes_at !== undefined && (
          <span className={planning.note}>{words.closes(formatMoment(round.closes_at))}</span>
        )}
        {round.meeting && <ItemLink item={round.meeting} />}
      </p>
      {pulse.anonymous ? (
        <AnswerForm pulse={pulse} roundDay={round.on} ownAnswers={{}} />
      ) : (
        <OwnAnswers pulse={pulse} roundDay={round.on} />
      )}
    </ItemSection>
  )
}

/** The reader's answers in the open round, for editing. */
function OwnAnswers({ pulse, roundDay }: { pulse: PulseData; roundDay: string }) {
  const me = useMe()
  const report = useOperation('get_pulse_report', {
    pulse_id: pulse.id,
    from: roundDay,
    to: roundDay,
  })
  return (
    <QueryContent query={report}>
      {({ answers }) => {
        const ownAnswer = answers.find(({ person }) => person?.id === me.id)
        return (
          <AnswerForm
            key={ownAnswer?.revision ?? 0}
            pulse={pulse}
            roundDay={roundDay}
            ownAnswers={ownAnswer?.answers ?? {}}
          />
        )
      }}
    </QueryContent>
  )
}
