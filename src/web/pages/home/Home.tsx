import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { runCommand, useCommands } from '../../keys/commands.ts'
import { tooltipOf } from '../../keys/tooltip.ts'
import { useMe, useSignedIn } from '../../session/session.ts'
import { screenCall, useScreen } from '../../store/index.ts'
import { t } from '../../texts/index.ts'
import { AppLink, RouterLink } from '../../ui/AppLink.tsx'
import { Page } from '../../ui/Page.tsx'
import { Problem, QueryContent } from '../../ui/states.tsx'
import { dayOf, longDay } from '../../ui/work/days.ts'
import { useRowKeys } from '../../ui/work/row-keys.ts'
import { isUsableKey, useKeys } from '../keys/keys.ts'
import { stopTimer } from '../planning/time/entry-writes.ts'
import { useRunningTimer } from '../planning/time/RunningTimer.tsx'
import { taskCommands } from '../tasks/commands.ts'
import { TaskPicker } from '../tasks/pick/TaskPicker.tsx'
import { Agenda } from './Agenda.tsx'
import styles from './day.module.css'
import { DayPulses } from './DayPulses.tsx'
import { DaySection } from './DaySection.tsx'
import { DayTasks } from './DayTasks.tsx'
import { RemindDialog } from './RemindDialog.tsx'
import { Reminders } from './Reminders.tsx'
import { ChangesSinceVisit } from './SinceHere.tsx'
import { Timer } from './Timer.tsx'
import { PendingDecisions } from './Waiting.tsx'

/** The day of the signed-in person: events, due tasks, waiting items, and recent work of assistants. */
export function Home() {
  const { person } = useSignedIn()
  const keys = useKeys('me')
  const content = useRef<HTMLDivElement>(null)
  useRowKeys(content)
  useDayCommands()
  return (
    <Page isWide title={t.home.greeting(person.name)} description={longDay(dayOf())}>
      <div ref={content} className={styles.day}>
        <QueryContent query={keys}>
          {(all) => (
            <>
              {all.some(isUsableKey) ? null : <FirstKeyCard />}
              <PendingDecisions keys={all} />
              <DayColumns />
              {all.some(isUsableKey) && <ChangesSinceVisit />}
            </>
          )}
        </QueryContent>
      </div>
      <TaskPicker />
      <RoutedRemindDialog />
    </Page>
  )
}

function AddReminderButton() {
  return (
    <button
      type="button"
      className={styles.small}
      onClick={() => runCommand('reminder.create')}
      title={tooltipOf('reminder.create')}
    >
      {t.home.reminders.add}
    </button>
  )
}

/** The reminder dialog, opened by the address. */
function RoutedRemindDialog() {
  const { remind } = useSearch({ strict: false }) as { remind?: boolean }
  const navigate = useNavigate()
  return (
    <RemindDialog
      isOpen={remind === true}
      close={() => void navigate({ to: '/', search: {}, replace: true })}
    />
  )
}

/** Agenda and due tasks, beside each other if there is room. */
function DayColumns() {
  const screen = useScreen('my-day', [
    screenCall('get_my_agenda', {}),
    screenCall('list_pulses', { limit: 100 }),
    screenCall('list_tasks', { assignee: 'me', status_category: ['in_progress'], limit: 20 }),
  ])
  return (
    <QueryContent query={screen}>
      {([agenda, pulses, started]) => (
        <div className={styles.columns}>
          <div className={styles.column}>
            <DaySection title={t.home.agenda.title}>
              <Timer />
              {agenda.value ? <Agenda agenda={agenda.value} /> : <Problem error={agenda.error} />}
            </DaySection>
            {pulses.value ? (
              <DayPulses pulses={pulses.value.items} />
            ) : (
              <Problem error={pulses.error} />
            )}
            <DaySection title={t.home.reminders.title} more={<AddReminderButton />}>
              <Reminders />
            </DaySection>
          </div>
          <DaySection
            title={t.home.tasks.title}
            more={<AppLink to="/tasks?assignee=me">{t.home.tasks.all}</AppLink>}
          >
            {agenda.value && (
              <DayTasks
                overdue={agenda.value.tasks_overdue}
                due={agenda.value.tasks_due}
                started={started.value?.items ?? []}
              />
            )}
          </DaySection>
        </div>
      )}
    </QueryContent>
  )
}

/** Task keys work on the focused task. */
function useDayCommands(): void {
  const me = useMe()
  const runningTimer = useRunningTimer()
  const focusedTask = () => document.activeElement?.closest<HTMLElement>('[data-task]') ?? null
  useCommands({
    ...taskCommands({
      ids: () => {
        const id = focusedTask()?.dataset.task
        return id === undefined ? [] : [id]
      },
      anchor: focusedTask,
      me,
    }),
    'time.timer': runningTimer ? () => stopTimer(runningTimer) : undefined,
  })
}

/** Leads people without a key to their first one. */
function FirstKeyCard() {
  return (
    <Card withBorder p="md">
      <Group gap="md" wrap="nowrap" align="flex-start">
        <IconRobot size={28} stroke={1.6} aria-hidden className={styles.robot} />
        <Stack gap="xs" align="flex-start">
          <Title order={2}>{t.home.first.title}</Title>
          <Text size="sm">{t.home.first.text}</Text>
          <Button component={RouterLink} to="/welcome">
            {t.home.first.action}
          </Button>
        </Stack>
      </Group>
    </Card>
  )
}
