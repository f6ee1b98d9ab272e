import { meetingCounts, meetingTexts as words } from '../../texts/en/company/meetings.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { formatMoment } from '../../ui/times.tsx'
import planning from '../planning/planning.module.css'
import type { ListedMeeting } from './data.ts'
import styles from './meetings.module.css'

/** A meeting in a list: its time, number of participants, and missing parts. */
export function MeetingRow({ meeting }: { meeting: ListedMeeting }) {
  const { id, title, kind, status, starts_at: startsAt, participants, missing } = meeting
  return (
    <li className={styles.row}>
      <AppLink to={`/meetings/${id}`} className={styles.name} data-row dir="auto">
        {title}
      </AppLink>
      <span className={styles.state} data-state={status}>
        {words.states[status]}
      </span>
      <span className={planning.note}>
        {startsAt === undefined ? words.noTime : formatMoment(startsAt)}
      </span>
      {kind !== 'meeting' && <span className={planning.note}>{words.kinds[kind]}</span>}
      <span className={planning.note}>{meetingCounts.people(participants.length)}</span>
      {missing.length > 0 && (
        <span className={planning.note} data-missing>
          {words.missing(missing.map((part) => words.missingWords[part]))}
        </span>
      )}
    </li>
  )
}
