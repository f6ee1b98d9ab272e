import { Badge } from '@mantine/core'
import { t } from '../../../texts/index.ts'
import { usePendingApprovals } from './approvals.ts'

/** Number of calls waiting for the signed-in person; nothing if there are none. */
export function WaitingBadge() {
  const { data } = usePendingApprovals()
  const waiting = data?.items.length ?? 0
  if (waiting === 0) return null
  return (
    <Badge size="sm" circle={waiting < 10} aria-label={t.app.waiting.label(waiting)} role="img">
      {t.app.waiting.badge(data?.has_more ? 100 : waiting)}
    </Badge>
  )
}
