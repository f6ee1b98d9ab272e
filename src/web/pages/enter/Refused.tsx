import { Alert, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ApiError, errorMessage } from '../../api/problem.ts'
import { t } from '../../texts/index.ts'

/**
 * Why a sign-in was refused; after too many attempts with the remaining time, displayed as a countdown and announced
 * once.
 */
export function RefusalAlert({
  message,
  seconds,
}: {
  message: string | undefined
  seconds: number
}) {
  const announcedSeconds = useRef(0)
  if (seconds === 0 || announcedSeconds.current === 0) announcedSeconds.current = seconds
  return (
    <div role="alert">
      {seconds > 0 && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle />}>
          <VisuallyHidden>{t.enter.signIn.wait(announcedSeconds.current)}</VisuallyHidden>
          <span aria-hidden>{t.enter.signIn.wait(seconds)}</span>
        </Alert>
      )}
      {seconds === 0 && message && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle />}>
          {message}
        </Alert>
      )}
    </div>
  )
}

/** Seconds until the next attempt, counting down; `waitFor` starts it from a refusal. */
export function useRetryCountdown(): { seconds: number; waitFor: (error: unknown) => void } {
  const [until, setUntil] = useState(0)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (until === 0) return
    const tick = () => setSeconds(Math.max(0, Math.ceil((until - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [until])
  return {
    seconds,
    waitFor: (error) =>
      setUntil(
        error instanceof ApiError && error.retryAfter !== undefined
          ? Date.now() + error.retryAfter * 1000
          : 0,
      ),
  }
}

/** Message for a refusal above the form; nothing if it is shown at a field. */
export function generalMessage(
  error: unknown,
  fields: Record<string, string>,
  visibleFields: readonly string[],
): string | undefined {
  return visibleFields.some((name) => fields[name] !== undefined) ? undefined : errorMessage(error)
}
