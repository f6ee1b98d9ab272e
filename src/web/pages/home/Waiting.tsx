import { Card, Group, Text } from '@mantine/core'
import {
  IconChecklist,
  IconCircleCheck,
  IconHandStop,
  IconInbox,
  IconRotateClockwise,
  type Icon,
} from '@tabler/icons-react'
import { useEndpoint } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { Problem } from '../../ui/states.tsx'
import { useInbox } from '../inbox/useInbox.ts'
import { isDueForRotation, type Key } from '../keys/keys.ts'

interface Line {
  icon: Icon
  text: string
  to: string
  action: string
}

const keysPath = '/settings/integrations/api-keys'

/** Pending decisions: calls awaiting approval, stopped keys, old keys. */
export function PendingDecisions({ keys }: { keys: Key[] }) {
  const approvals = useEndpoint('/web/approvals', { limit: 100 })
  const holds = useEndpoint('/web/holds')
  const inbox = useInbox('inbox')
  const failedQuery = [approvals, holds].find((item) => item.error)
  if (failedQuery)
    return <Problem error={failedQuery.error} retry={() => void failedQuery.refetch()} />
  if (!approvals.data || !holds.data) return null
  const lines: Line[] = []
  const approvalCount = approvals.data.items.length
  const oldKeys = keys.filter(isDueForRotation)
  if (inbox.entries.length > 0)
    lines.push({
      icon: IconInbox,
      text: t.home.waiting.inbox(inbox.entries.length),
      to: '/inbox',
      action: t.home.waiting.look,
    })
  if (approvalCount > 0)
    lines.push({
      icon: IconChecklist,
      text: t.home.waiting.approvals(approvalCount),
      to: '/inbox',
      action: t.home.waiting.look,
    })
  for (const { key, holds: hold } of holds.data.items)
    if (key && hold !== 'none')
      lines.push({
        icon: IconHandStop,
        text: t.home.holds.one(key.name ?? ''),
        to: `${keysPath}/${key.id}`,
        action: t.home.holds.look,
      })
  if (oldKeys.length > 0)
    lines.push({
      icon: IconRotateClockwise,
      text: t.home.rotate(oldKeys.length),
      to: oldKeys.length === 1 ? `${keysPath}/${oldKeys[0]!.id}` : keysPath,
      action: t.home.rotateAction,
    })
  return (
    <Card withBorder p={0}>
      {lines.length === 0 ? <NothingPending /> : <Lines lines={lines} />}
    </Card>
  )
}

function NothingPending() {
  return (
    <Group p="sm" gap="sm" wrap="nowrap">
      <IconCircleCheck size={20} color="var(--mantine-color-green-7)" aria-hidden />
      <Text size="sm">{t.home.waiting.none}</Text>
    </Group>
  )
}

function Lines({ lines }: { lines: Line[] }) {
  return (
    <ul className="rows" aria-label={t.home.waiting.title}>
      {lines.map(({ icon: Shape, text, to, action }) => (
        <Group key={text + to} component="li" p="sm" gap="sm" wrap="nowrap">
          <Shape size={20} aria-hidden />
          <Text size="sm" flex={1} miw={0} dir="auto">
            {text}
          </Text>
          <AppLink to={to} size="sm" flex="0 0 auto">
            {action}
          </AppLink>
        </Group>
      ))}
    </ul>
  )
}
