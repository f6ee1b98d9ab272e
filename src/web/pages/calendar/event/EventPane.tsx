import { IconArrowsDiagonal, IconEdit, IconTrash, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { runCommand } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import type { CommandId } from '../../../keys/keymap.ts'
import { appPath, RouterLink } from '../../../ui/AppLink.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { CommandTool, Tool } from '../../inbox/Pane.tsx'
import { LinkedText } from '../../mail/LinkedText.tsx'
import { timeOf, type EventRow } from '../data/events.ts'
import { wallOf, zoneName } from '../data/wall.ts'
import { calendarTexts as t } from '../texts.ts'
import { useTasksOf } from '../tasks/data.ts'
import styles from './event.module.css'
import { describeRule } from './rules.ts'
import { hoursOf, describeTime, eventTitleOf } from './words.ts'

interface EventPaneProps {
  row: EventRow
  close: () => void
}

const { event: words } = t.calendar

/** All details of an event, with its actions. */
export function EventPane({ row, close }: EventPaneProps) {
  const pagePath = appPath(row.url)
  return (
    <aside className={styles.pane} aria-label={t.calendar.pane}>
      <header className={styles.paneBar}>
        <span className={styles.tools}>
          <CommandTool command="calendar.edit" icon={IconEdit} />
          <CommandTool command="calendar.delete" icon={IconTrash} />
          {pagePath !== undefined && (
            <RouterLink
              to={pagePath}
              className={styles.tool}
              aria-label={t.calendar.open}
              title={t.calendar.open}
            >
              <IconArrowsDiagonal size={15} aria-hidden />
            </RouterLink>
          )}
        </span>
        <Tool icon={IconX} label={t.calendar.close} onClick={close} />
      </header>
      <div className={styles.paneBody}>
        <h2
          className={styles.heading}
          dir="auto"
          data-off={row.status === 'cancelled' || undefined}
        >
          {eventTitleOf(row)}
        </h2>
        <EventTimeLines row={row} />
        {row.my_response !== undefined && <Answers row={row} />}
        {row.invites_pending && row.my_response === undefined && <PendingInvites />}
        {row.sync !== undefined && (
          <p className={styles.quiet}>{row.sync === 'pending' ? words.syncing : words.refused}</p>
        )}
        <EventLinks row={row} />
        <EventDetails row={row} />
        <Guests row={row} />
        <Description row={row} />
      </div>
    </aside>
  )
}

function EventTimeLines({ row }: { row: EventRow }) {
  const zone = row.event_timezone
  return (
    <div className={styles.when}>
      <time dateTime={row.all_day ? row.starts_local : row.starts_at} data-when>
        {describeTime(timeOf(row))}
      </time>
      {zone !== undefined && (
        <span className={styles.quiet}>
          {hoursOf({
            allDay: false,
            starts: wallOf(Date.parse(row.starts_at), zone),
            ends: wallOf(Date.parse(row.ends_at), zone),
          })}{' '}
          {zoneName(zone)}
        </span>
      )}
      {row.rrule !== undefined && (
        <span className={styles.quiet}>
          {describeRule(row.rrule, row.starts_local.slice(0, 10))}
        </span>
      )}
    </div>
  )
}

const answers = [
  ['accepted', 'calendar.accept'],
  ['tentative', 'calendar.maybe'],
  ['declined', 'calendar.decline'],
] as const satisfies readonly (readonly [string, CommandId])[]

function Answers({ row }: { row: EventRow }) {
  return (
    <fieldset className={styles.answers} aria-label={words.answer}>
      {answers.map(([response, command]) => (
        <button
          key={response}
          type="button"
          className={styles.button}
          aria-pressed={row.my_response === response}
          onClick={() => runCommand(command)}
        >
          {words.answers[response]} <KeyCombo command={command} />
        </button>
      ))}
    </fieldset>
  )
}

/** Links from the event: the call, and the notes of the meeting. */
function EventLinks({ row }: { row: EventRow }) {
  return (
    <div className={styles.answers}>
      {row.video_url !== undefined && (
        <button
          type="button"
          className={styles.button}
          onClick={() => runCommand('calendar.video')}
        >
          {words.join} <KeyCombo command="calendar.video" />
        </button>
      )}
      <button
        type="button"
        className={styles.button}
        onClick={() => runCommand('calendar.meeting')}
      >
        {row.meeting ? words.toMeeting : words.makeMeeting} <KeyCombo command="calendar.meeting" />
      </button>
    </div>
  )
}

function PendingInvites() {
  return (
    <div className={styles.pendingInvites}>
      <p>{words.pending}</p>
      <button type="button" className={styles.button} onClick={() => runCommand('calendar.invite')}>
        {words.invite} <KeyCombo command="calendar.invite" />
      </button>
    </div>
  )
}

function EventDetails({ row }: { row: EventRow }) {
  const canHaveTasks = row.kind === 'focus' && row.series_id === undefined && row.url !== ''
  const tasks = useTasksOf(row.id, canHaveTasks)
  return (
    <dl className={styles.values}>
      {row.kind !== 'default' && <Value name={words.kind}>{t.calendar.form.kinds[row.kind]}</Value>}
      {row.location !== undefined && (
        <Value name={words.where}>
          <span dir="auto">{row.location}</span>
        </Value>
      )}
      {row.video_url !== undefined && (
        <Value name={words.video}>
          <a href={row.video_url} target="_blank" rel="noopener noreferrer nofollow">
            {URL.parse(row.video_url)?.host ?? row.video_url}
          </a>
        </Value>
      )}
      {row.reminders_minutes.length > 0 && (
        <Value name={words.reminders}>{row.reminders_minutes.map(words.reminder).join(', ')}</Value>
      )}
      {tasks.map(({ id, item }) => (
        <Value key={id} name={t.calendar.tasks.task}>
          <ItemLink item={item} />
        </Value>
      ))}
      {row.meeting && (
        <Value name={words.meeting}>
          <ItemLink item={row.meeting} />
        </Value>
      )}
      <Value name={words.calendar}>{row.calendar.title}</Value>
    </dl>
  )
}

function Value({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const attendeeNameOf = ({
  name,
  email,
}: {
  name?: string | undefined
  email?: string | undefined
}) => name ?? email ?? words.outsiders

function Guests({ row: { attendees, organizer } }: { row: EventRow }) {
  if (attendees.length === 0) return null
  return (
    <section className={styles.people} aria-label={words.guests}>
      <h3>{words.guests}</h3>
      <ul>
        {organizer && (
          <li>
            <Face id={attendeeNameOf(organizer)} name={attendeeNameOf(organizer)} size={18} />
            <span dir="auto">{attendeeNameOf(organizer)}</span>
            <span className={styles.quiet}>{words.organizer}</span>
          </li>
        )}
        {attendees
          .filter(({ address }) => address.email !== organizer?.email)
          .map(({ address, response, optional }) => (
            <li key={address.email ?? address.name} data-response={response}>
              <Face id={attendeeNameOf(address)} name={attendeeNameOf(address)} size={18} />
              <span dir="auto">{attendeeNameOf(address)}</span>
              <span className={styles.quiet}>
                {words.responses[response]}
                {optional && `, ${words.optional}`}
              </span>
            </li>
          ))}
      </ul>
    </section>
  )
}

/** Loaded separately, because lists omit descriptions. Content by strangers is marked by a bar. */
function Description({ row }: { row: EventRow }) {
  const { data } = useOperation('get_event', { event_id: row.id }, { enabled: row.url !== '' })
  const content = data?.content
  if (!content || content.text === '') return null
  const source = row.organizer ? attendeeNameOf(row.organizer) : row.calendar.title
  const isOutside = content.trust === 'external'
  return (
    <section className={isOutside ? styles.fence : styles.text} aria-label={words.notes}>
      {isOutside && <p className={styles.outside}>{words.outside(source)}</p>}
      <LinkedText text={content.text} />
    </section>
  )
}
