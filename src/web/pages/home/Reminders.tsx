import { ActionIcon } from '@mantine/core'
import { IconAlarm, IconX } from '@tabler/icons-react'
import type { Output } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { appPath, RouterLink } from '../../ui/AppLink.tsx'
import { MoreButton } from '../../ui/actions/MoreButton.tsx'
import { Shown } from '../../ui/states.tsx'
import { dayWords } from '../../ui/work/days.ts'
import styles from './day.module.css'
import { cancelReminder } from './reminders-data.ts'
import { repeatOf } from './repeats.ts'

type Reminder = Output<'list_reminders'>['items'][number]

const words = t.home.reminders

/** The reader's future reminders, next first. */
export function Reminders() {
  const reminders = useList('list_reminders', {})
  return (
    <Shown query={reminders}>
      {() =>
        reminders.items.length === 0 ? (
          <p className={styles.none}>{words.none}</p>
        ) : (
          <>
            <ul className={styles.rows}>
              {reminders.items.map((reminder) => (
                <li key={reminder.id} className={styles.reminder}>
                  <ReminderRow reminder={reminder} />
                  <Cancel reminder={reminder} />
                </li>
              ))}
            </ul>
            <MoreButton query={reminders} />
          </>
        )
      }
    </Shown>
  )
}

function ReminderRow({ reminder }: { reminder: Reminder }) {
  const { remind_local, item, rrule } = reminder
  const to = item && appPath(item.url)
  const content = (
    <>
      <IconAlarm size={15} stroke={1.7} aria-hidden />
      <span className={styles.name} dir="auto">
        {reminderTitleOf(reminder)}
      </span>
      <span className={styles.note}>
        {rrule !== undefined && `${repeatWords(rrule)}, `}
        {dayWords(remind_local.slice(0, 10))} {remind_local.slice(11, 16)}
      </span>
    </>
  )
  return to === undefined ? (
    <div className={styles.row} data-row tabIndex={-1}>
      {content}
    </div>
  ) : (
    <RouterLink to={to} className={styles.row} data-row>
      {content}
    </RouterLink>
  )
}

/** Text of a reminder; the title of its item if it has none. */
function reminderTitleOf({ text, item }: Reminder): string {
  return text ?? item?.title ?? words.hidden
}

function repeatWords(rrule: string): string {
  const repeat = repeatOf(rrule)
  return repeat === undefined ? words.repeats : words.repeat[repeat]
}

function Cancel({ reminder }: { reminder: Reminder }) {
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
