import { IconHeartbeat } from '@tabler/icons-react'
import type { Output } from '../../api/client.ts'
import { useMe } from '../../session/session.ts'
import { t } from '../../texts/index.ts'
import { RouterLink } from '../../ui/AppLink.tsx'
import { dayOf, relativeDay } from '../../ui/work/days.ts'
import { isAnsweredHere } from '../meetings/pulses/answered-here.ts'
import styles from './day.module.css'
import { DaySection } from './DaySection.tsx'

type PulseOfDay = Output<'list_pulses'>['items'][number]

const words = t.home.pulses

/**
 * The pulses that the reader has yet to answer. For anonymous ones, only this browser knows whether they have
 * answered.
 */
export function DayPulses({ pulses }: { pulses: readonly PulseOfDay[] }) {
  const me = useMe()
  const unanswered = pulses.filter(({ id, anonymous, open_round: round }) =>
    round && anonymous ? !isAnsweredHere(me.id, id, round.on) : round?.answered_by_me === false,
  )
  if (unanswered.length === 0) return null
  return (
    <DaySection title={words.title}>
      <ul className={styles.rows}>
        {unanswered.map(({ id, name, anonymous, open_round: round }) => (
          <li key={id}>
            <RouterLink to={`/pulses/${id}`} className={styles.row} data-row>
              <IconHeartbeat size={15} stroke={1.7} aria-hidden />
              <span className={styles.name} dir="auto">
                {name}
              </span>
              <span className={styles.note}>
                {[anonymous && words.anonymous, round?.closes_at && untilText(round.closes_at)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </RouterLink>
          </li>
        ))}
      </ul>
    </DaySection>
  )
}

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

function untilText(timestamp: string): string {
  const moment = new Date(timestamp)
  return words.until(`${relativeDay(dayOf(moment))} ${timeFormat.format(moment)}`)
}
