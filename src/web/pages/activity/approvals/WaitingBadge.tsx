import { Badge } from '@mantine/core'
import { t } from '../../../texts/index.ts'
import { useWaiting } from './approvals.ts'

/** How many calls wait for the person who is signed in; nothing where none do. */
export function WaitingBadge() {
  const { data } = useWaiting()
  const waiting = data?.items.length ?? 0
  if (waiting === 0) return null
  return (
    <Badge size="sm" circle={waiting < 10} aria-label={t.app.waiting.label(waiting)} role="img">
      {t.app.waiting.badge(data?.has_more ? 100 : waiting)}
    </Badge>
  )
}
