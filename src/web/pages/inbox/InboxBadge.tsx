import { Badge } from '@mantine/core'
import { t } from '../../texts/index.ts'
import { useInbox } from './useInbox.ts'

const maxShown = 99

/** Number of items in the inbox; nothing if there are none. */
export function InboxBadge() {
  const entryCount = useInbox('inbox').entries.length
  if (entryCount === 0) return null
  return (
    <Badge size="sm" circle={entryCount < 10} aria-label={t.app.inbox(entryCount)} role="img">
      {entryCount > maxShown ? `${maxShown}+` : entryCount}
    </Badge>
  )
}
