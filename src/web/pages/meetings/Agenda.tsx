import { meetingTexts as words } from '../../texts/en/company/meetings.ts'
import planning from '../planning/planning.module.css'
import { agendaLines, updateMeeting, type FullMeeting } from './data.ts'
import styles from './meetings.module.css'

/** Agenda of the meeting, to be ticked off. */
export function Agenda({ meeting }: { meeting: FullMeeting }) {
  const toggle = (index: number) =>
    updateMeeting(meeting, {
      agenda: agendaLines(
        meeting.agenda.map((item, n) => (n === index ? { ...item, done: !item.done } : item)),
      ),
    })
  const points = meeting.agenda.map((item, index) => ({ ...item, index }))
  return (
    <section className={planning.section}>
      <h2>{words.agenda}</h2>
      {meeting.agenda.length === 0 && <p className={planning.quiet}>{words.noAgenda}</p>}
      {points.map(({ text, done, index }) => (
        <label key={index} className={styles.tick}>
          <input type="checkbox" checked={done} onChange={() => void toggle(index)} />
          <span dir="auto">{text}</span>
        </label>
      ))}
    </section>
  )
}
