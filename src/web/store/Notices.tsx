import { Button, CloseButton, Group, Paper, Stack, Text } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { t } from '../texts/index.ts'
import classes from './notices.module.css'
import { dismiss, onNotices, currentNotices, type DisplayedNotice } from './writing/notices.ts'

/** Number of notifications on small screens; the others are behind a button (`:nth-last-child` in the styles). */
const phoneLimit = 2

/**
 * Notices about changes, at the edge of the page. They are part of the store, so nothing needs loading while the
 * server is away.
 */
export function Notices() {
  const notices = useSyncExternalStore(onNotices, currentNotices)
  const [areAllShown, setAllShown] = useState(false)
  const hiddenCount = notices.length - phoneLimit
  if (hiddenCount <= 0 && areAllShown) setAllShown(false)
  return (
    <section
      className={classes.notices}
      data-all={areAllShown || undefined}
      aria-label={t.app.sync.notices}
      aria-live="polite"
    >
      {hiddenCount > 0 && !areAllShown && (
        <Button
          className={classes.earlier}
          size="compact-sm"
          variant="default"
          onClick={() => setAllShown(true)}
        >
          {t.app.sync.earlier(hiddenCount)}
        </Button>
      )}
      {notices.map((notice) => (
        <NoticeBox key={notice.id} notice={notice} />
      ))}
    </section>
  )
}

/** A notice. It does not expire while it is hovered or focused. */
function NoticeBox({ notice }: { notice: DisplayedNotice }) {
  const { id, text, problem, seconds, until, actions } = notice
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    if ((isPaused && until === undefined) || seconds === 0) return
    const timer = setTimeout(() => dismiss(id), seconds * 1000)
    return () => clearTimeout(timer)
  }, [id, seconds, until, isPaused])
  const pause = () => setPaused(true)
  const resume = () => setPaused(false)
  return (
    <Paper
      className={classes.notice}
      withBorder
      shadow="md"
      p="xs"
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocus={pause}
      onBlur={resume}
    >
      <Group wrap="nowrap" gap="sm" justify="space-between">
        <Stack gap={2} miw={0}>
          <Text size="sm" lineClamp={2} dir="auto">
            {text}
          </Text>
          {until !== undefined && <Countdown endMs={until} />}
          {problem !== undefined && (
            <Text size="sm" c="red" dir="auto">
              {problem}
            </Text>
          )}
        </Stack>
        <Group wrap="nowrap" gap={4} className={classes.actions}>
          {actions.map(({ label, run }) => (
            <Button
              key={label}
              size="compact-sm"
              variant="default"
              onClick={() => {
                dismiss(id)
                run()
              }}
            >
              {label}
            </Button>
          ))}
          <CloseButton size="sm" aria-label={t.app.close} onClick={() => dismiss(id)} />
        </Group>
      </Group>
    </Paper>
  )
}

/** The remaining seconds, which are displayed but not announced one by one. */
function Countdown({ endMs }: { endMs: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 200)
    return () => clearInterval(timer)
  }, [])
  const secondsLeft = Math.max(0, Math.ceil((endMs - now) / 1000))
  return (
    <Text size="xs" c="dimmed" className="figures" aria-hidden data-countdown>
      {t.app.sync.secondsLeft(secondsLeft)}
    </Text>
  )
}
