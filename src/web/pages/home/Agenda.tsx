import { IconAlarm, IconMail, IconPhoneCall, IconUsers, type Icon } from '@tabler/icons-react'
import type { Output } from '../../api/client.ts'
import { t } from '../../texts/index.ts'
import { appPath, RouterLink } from '../../ui/AppLink.tsx'
import { Ago } from '../../ui/times.tsx'
import { itemPathOf } from '../../ui/kinds.ts'
import styles from './day.module.css'

type MyAgenda = Output<'get_my_agenda'>
type AgendaEvent = MyAgenda['events'][number]

/** Today's events in order, and other items that need attention. */
export function Agenda({ agenda }: { agenda: MyAgenda }) {
  const others = otherEntriesOf(agenda)
  return (
    <>
      {agenda.events.length === 0 ? (
        <p className={styles.none}>{t.home.agenda.free(agenda.free_minutes)}</p>
      ) : (
        <ul className={styles.rows}>
          {agenda.events.map((event) => (
            <li key={event.id}>
              <EventRow event={event} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul className={styles.rows} aria-label={t.home.agenda.others}>
          {others.map(({ id, icon: Shape, title, note, waitingSince, to }) => (
            <li key={id}>
              <RouterLink to={to} className={styles.row} data-row>
                <Shape size={15} stroke={1.7} aria-hidden />
                <span className={styles.name} dir="auto">
                  {title}
                </span>
                <span className={styles.note}>
                  {note} {waitingSince !== undefined && <Ago time={waitingSince} />}
                </span>
              </RouterLink>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function EventRow({ event }: { event: AgendaEvent }) {
  const now = Date.now()
  const isPast = Date.parse(event.ends_at) < now
  const isNow = !isPast && Date.parse(event.starts_at) <= now
  return (
    <RouterLink
      to={appPath(event.url) ?? '/'}
      className={styles.row}
      data-row
      data-past={isPast || undefined}
      data-now={isNow || undefined}
    >
      <span className={styles.time}>{agendaTimesText(event)}</span>
      <span className={styles.name} dir="auto">
        {event.title}
      </span>
      <span className={styles.note}>
        {isNow ? t.home.agenda.now : (event.location ?? '')}
        {event.my_response === 'needs_action' && t.home.agenda.unanswered}
      </span>
    </RouterLink>
  )
}

function agendaTimesText({ all_day, starts_local, ends_local }: AgendaEvent): string {
  return all_day
    ? t.home.agenda.allDay
    : `${starts_local.slice(11, 16)}–${ends_local.slice(11, 16)}`
}

interface OtherEntry {
  id: string
  icon: Icon
  title: string
  note: string
  waitingSince?: string | undefined
  to: string
}

/** Entries other than events: mail that waits for an answer, meetings to prepare, shifts and reminders. */
function otherEntriesOf(schedule: MyAgenda): OtherEntry[] {
  const { agenda } = t.home
  return [
    ...schedule.on_call.map((shift, n) => ({
      id: `shift ${n}`,
      icon: IconPhoneCall,
      title: shift.schedule.title,
      note: agenda.onCall,
      to: itemPathOf(shift.schedule.id) ?? '/',
    })),
    ...schedule.reminders.map((reminder) => ({
      id: reminder.id,
      icon: IconAlarm,
      title: reminder.text ?? reminder.item?.title ?? '',
      note: reminder.remind_local.slice(11, 16),
      to: (reminder.item && appPath(reminder.item.url)) ?? itemPathOf(reminder.id) ?? '/',
    })),
    ...schedule.meetings_to_prepare.map((meeting) => ({
      id: meeting.id,
      icon: IconUsers,
      title: meeting.title,
      note: agenda.prepare,
      to: appPath(meeting.url) ?? '/',
    })),
    ...schedule.threads_awaiting_me.slice(0, maxThreads).map((thread) => ({
      id: thread.id,
      icon: IconMail,
      title: thread.subject,
      note: agenda.reply,
      waitingSince: thread.waiting_since,
      to: appPath(thread.url) ?? '/',
    })),
  ]
}

const maxThreads = 5
