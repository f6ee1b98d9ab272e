import { Badge, Box, Card, Code, Group, Text } from '@mantine/core'
import { keyTexts as t } from './texts.ts'
import { RouterLink } from '../../ui/AppLink.tsx'
import { QueryContent } from '../../ui/states.tsx'
import { Ago } from '../../ui/times.tsx'
import { clientName, useRecentCalls, type KeyCall } from './calls.ts'

/** The latest calls of the reader's keys, live. */
export function RecentCalls({
  limit,
  keyId,
  empty = t.keys.calls.empty,
}: {
  limit: number
  keyId?: string
  empty?: string
}) {
  const calls = useRecentCalls(limit, keyId)
  return (
    <QueryContent query={calls}>
      {(items) =>
        items.length === 0 ? (
          <Text c="dimmed" size="sm">
            {empty}
          </Text>
        ) : (
          <Card withBorder p={0}>
            <ul className="rows" aria-label={t.keys.calls.label}>
              {items.map((item) => (
                <CallRow key={item.id} call={item} isOfOneKey={keyId !== undefined} />
              ))}
            </ul>
          </Card>
        )
      }
    </QueryContent>
  )
}

function CallRow({ call, isOfOneKey }: { call: KeyCall; isOfOneKey: boolean }) {
  const callerText = [isOfOneKey ? undefined : call.key.title, clientName(call)]
    .filter(Boolean)
    .join(' · ')
  return (
    <li>
      <RouterLink to={`/activity/calls/${call.id}`} className="row-link">
        <Group px="sm" py={6} gap="sm" wrap="nowrap" justify="space-between">
          <Box miw={0}>
            <Group gap="xs">
              <Code>{call.tool}</Code>
              {call.status !== 'ok' && (
                <Badge
                  size="sm"
                  variant="light"
                  color={call.status === 'denied' ? 'yellow' : 'red'}
                >
                  {t.keys.calls.outcome[call.status]}
                </Badge>
              )}
            </Group>
            <Text size="xs" c="dimmed" dir="auto" lineClamp={1}>
              {[callerText, ...call.items.slice(0, 2).map((item) => item.title)]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </Box>
          <Text size="xs" c="dimmed" flex="0 0 auto">
            <Ago time={call.at} />
          </Text>
        </Group>
      </RouterLink>
    </li>
  )
}
