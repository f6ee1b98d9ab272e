import { ActionIcon } from '@mantine/core'
import { IconAlarm, IconX } from '@tabler/icons-react'
import type { Output } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { appPath, RouterLink } from '../../ui/AppLink.tsx'
import { MoreButton } from '../../ui/actions/MoreButton.tsx'
import { QueryContent } from '../../ui/states.tsx'
import { relativeDay } from '../../ui/work/days.ts'
import styles from './day.module.css'
import { cancelReminder } from './reminders-data.ts'
import { repeatOf } from './repeats.ts'

type Reminder = Output<'list_reminders'>['items'][number]

const words = t.home.reminders

/** The reader's future reminders, next first. */
export function Reminders() {
  const reminders = useList('list_reminders', {})
  return (
    <QueryContent query={reminders}>
      {() =>
        reminders.items.length === 0 ? (
          <p className={styles.none}>{words.none}</p>
        ) : (
          <>
            <ul className={styles.rows}>
              {reminders.items.map((reminder) => (
                <li key={reminder.id} className={styles.reminder}>
                  <ReminderRow reminder={reminder} />
                  <CancelButton reminder={reminder} />
                </li>
              ))}
            </ul>
            <MoreButton query={reminders} />
          </>
        )
      }
    </QueryContent>
  )
}

function ReminderRow({ reminder }: { reminder: Reminder }) {
  const { remind_local, item, rrule } = reminder
  const path = item && appPath(item.url)
  const content = (
    <>
      <IconAlarm size={15} stroke={1.7} aria-hidden />
      <span className={styles.name} dir="auto">
        {reminderTitleOf(reminder)}
      </span>
      <span className={styles.note}>
        {rrule !== undefined && `${describeRepeat(rrule)}, `}
        {relativeDay(remind_local.slice(0, 10))} {remind_local.slice(11, 16)}
      </span>
    </>
  )
  return path === undefined ? (
    <div className={styles.row} data-row tabIndex={-1}>
      {content}
    </div>
  ) : (
    <RouterLink to={path} className={styles.row} data-row>
      {content}
    </RouterLink>
  )
}

/** Text of a reminder; the title of its item if it has none. */
function reminderTitleOf({ text, item }: Reminder): string {
  return text ?? item?.title ?? words.hidden
}

function describeRepeat(rrule: string): string {
  const repeat = repeatOf(rrule)
  return repeat === undefined ? words.repeats : words.repeat[repeat]
}

function CancelButton({ reminder }: { reminder: Reminder }) {
  const title = reminderTitleOf(reminder)
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={words.cancel(title)}
      onClick={() => void cancelReminder(reminder.id, title)}
    >
      <IconX size={14} aria-hidden />
    </ActionIcon>
  )
}
