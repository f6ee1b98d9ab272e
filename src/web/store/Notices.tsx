import { Button, CloseButton, Group, Paper, Stack, Text } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { t } from '../texts/index.ts'
import classes from './notices.module.css'
import { dismiss, onNotices, shownNotices, type ShownNotice } from './writing/notices.ts'

/** What is said of changes, at the edge of the page. It comes with the store: nothing is loaded for it while the server is away. */
export function Notices() {
  const notices = useSyncExternalStore(onNotices, shownNotices)
  return (
    <section className={classes.notices} aria-label={t.app.sync.notices} aria-live="polite">
      {notices.map((notice) => (
        <NoticeBox key={notice.id} of={notice} />
      ))}
    </section>
  )
}

/** It stays while somebody points at it or is in it. */
function NoticeBox({ of }: { of: ShownNotice }) {
  const { id, text, problem, seconds, actions } = of
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld || seconds === 0) return
    const timer = setTimeout(() => dismiss(id), seconds * 1000)
    return () => clearTimeout(timer)
  }, [id, seconds, isHeld])
  const hold = () => setHeld(true)
  const release = () => setHeld(false)
  return (
    <Paper
      className={classes.notice}
      withBorder
      shadow="md"
      p="xs"
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <Group wrap="nowrap" gap="sm" justify="space-between">
        <Stack gap={2} miw={0}>
          <Text size="sm" lineClamp={2} dir="auto">
            {text}
          </Text>
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
