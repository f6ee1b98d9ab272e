import { IconAlertTriangle } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import { useCommands } from '../../keys/commands.ts'
import { useSignedIn } from '../../session/session.ts'
import { MoreButton } from '../../ui/actions/MoreButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { QueryContent } from '../../ui/states.tsx'
import { longDay } from '../../ui/work/days.ts'
import { useRowKeys } from '../../ui/work/row-keys.ts'
import { CommandTool } from '../inbox/Pane.tsx'
import styles from './event-conflicts.module.css'
import { daysOf, type Span } from './data/spans.ts'
import { wallOf } from './data/wall.ts'
import { calendarTexts as t } from './texts.ts'

type EventConflict = Output<'list_event_conflicts'>['items'][number]

const words = t.calendar.conflicts

interface ConflictsProps {
  span: Span
  day: string
}

/** Conflicts among the reader's events on the visible days, loaded when the dialog opens. */
export function EventConflicts({ span, day }: ConflictsProps) {
  const [isOpen, setOpen] = useState(false)
  useCommands({ 'calendar.conflicts': () => setOpen(true) })
  return (
    <>
      <CommandTool command="calendar.conflicts" icon={IconAlertTriangle} />
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={words.title}>
        <ConflictList span={span} day={day} />
      </Dialog>
    </>
  )
}

function ConflictList({ span, day }: ConflictsProps) {
  const { timezone: zone } = useSignedIn().person
  const days = daysOf(span, day)
  const list = useRef<HTMLUListElement>(null)
  const conflicts = useList('list_event_conflicts', {
    from: days[0] ?? '',
    to: days.at(-1) ?? '',
    limit: 50,
  })
  useRowKeys(list)
  return (
    <QueryContent query={conflicts}>
      {() =>
        conflicts.items.length === 0 ? (
          <p className={styles.none}>{words.none}</p>
        ) : (
          <>
            <ul ref={list} className={styles.list}>
              {conflicts.items.map((conflict) => (
                <Conflict key={conflictKeyOf(conflict)} conflict={conflict} zone={zone} />
              ))}
            </ul>
            <MoreButton query={conflicts} />
          </>
        )
      }
    </QueryContent>
  )
}

const conflictKeyOf = ({ kind, starts_at, events }: EventConflict) =>
  [kind, starts_at, ...events.map(({ id }) => id)].join(' ')

function Conflict({ conflict, zone }: { conflict: EventConflict; zone: string }) {
  const wallTime = wallOf(Date.parse(conflict.starts_at), zone)
  return (
    <li className={styles.conflict}>
      <span>
        <strong>{words.kinds[conflict.kind]}</strong>{' '}
        <span className={styles.note}>
          {longDay(wallTime.slice(0, 10))} {wallTime.slice(11, 16)}
        </span>
      </span>
      {conflict.events.map((event) => (
        <ItemLink key={event.id} item={event} isRow />
      ))}
      {conflict.kind !== 'outside_hours' && (
        <span className={styles.note}>{conflict.suggestion}</span>
      )}
    </li>
  )
}
