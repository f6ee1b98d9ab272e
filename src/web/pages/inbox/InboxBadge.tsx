import { Badge } from '@mantine/core'
import { t } from '../../texts/index.ts'
import { useInbox } from './useInbox.ts'

const maxShown = 99

/** Number of items in the inbox; nothing if there are none. */
export function InboxBadge() {
  const waiting = useInbox('inbox').entries.length
  if (waiting === 0) return null
  return (
    <Badge size="sm" circle={waiting < 10} aria-label={t.app.inbox(waiting)} role="img">
      {waiting > maxShown ? `${maxShown}+` : waiting}
    </Badge>
  )
}
