import { meetingTexts as words } from '../../texts/en/company/meetings.ts'
import planning from '../planning/planning.module.css'
import { agendaLines, updateMeeting, type FullMeeting } from './data.ts'
import styles from './meetings.module.css'

/** Agenda of the meeting, to be ticked off. */
export function Agenda({ meeting }: { meeting: FullMeeting }) {
  const toggle = (at: number) =>
    updateMeeting(meeting, {
      agenda: agendaLines(
        meeting.agenda.map((item, n) => (n === at ? { ...item, done: !item.done } : item)),
      ),
    })
  const points = meeting.agenda.map((item, at) => ({ ...item, at }))
  return (
    <section className={planning.section}>
      <h2>{words.agenda}</h2>
      {meeting.agenda.length === 0 && <p className={planning.quiet}>{words.noAgenda}</p>}
      {points.map(({ text, done, at }) => (
        <label key={at} className={styles.tick}>
          <input type="checkbox" checked={done} onChange={() => void toggle(at)} />
          <span dir="auto">{text}</span>
        </label>
      ))}
    </section>
  )
}
