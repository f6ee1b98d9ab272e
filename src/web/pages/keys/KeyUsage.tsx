import { Card, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { Output } from '../../api/client.ts'
import { useOperation } from '../../api/queries.ts'
import { keyTexts as t } from './texts.ts'
import { QueryContent } from '../../ui/states.tsx'
import { inDays } from './keys.ts'

type Usage = Output<'get_api_key_usage'>

/** Recent usage of a key, by purpose. */
export function KeyUsage({ keyId }: { keyId: string }) {
  const from = useMemo(() => inDays(-30), [keyId])
  const usage = useOperation('get_api_key_usage', { key_id: keyId, from, group_by: 'tool' })
  return (
    <QueryContent query={usage}>
      {(usage) =>
        usage.calls === 0 ? (
          <Text size="sm" c="dimmed">
            {t.keys.detail.noCalls}
          </Text>
        ) : (
          <UsageNumbers usage={usage} />
        )
      }
    </QueryContent>
  )
}

function UsageNumbers({ usage }: { usage: Usage }) {
  const text = t.keys.detail
  const numbers: [string, string][] = [
    [text.calls, text.n(usage.calls)],
    [text.failed, text.n(usage.errors)],
    [text.refused, text.n(usage.denied)],
  ]
  if (usage.rate_limit)
    numbers.push([text.rate, text.ofRate(usage.rate_limit.remaining, usage.rate_limit.per_minute)])
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        {numbers.map(([label, value]) => (
          <Card key={label} withBorder p="sm">
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Text fw={600}>{value}</Text>
          </Card>
        ))}
      </SimpleGrid>
      <Card withBorder p={0}>
        <Table.ScrollContainer minWidth={300}>
          <Table>
            <Table.Caption>{text.byTool}</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{text.tool}</Table.Th>
                <Table.Th ta="end">{text.calls}</Table.Th>
                <Table.Th ta="end">{text.failed}</Table.Th>
                <Table.Th ta="end">{text.slow}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {usage.by_group
                .toSorted((a, b) => b.calls - a.calls)
                .slice(0, 8)
                .map(({ key, calls, errors, p95_ms }) => (
                  <Table.Tr key={key}>
                    <Table.Td ff="monospace">{key}</Table.Td>
                    <Table.Td ta="end">{text.n(calls)}</Table.Td>
                    <Table.Td ta="end">{text.n(errors)}</Table.Td>
                    <Table.Td ta="end">{text.ms(p95_ms)}</Table.Td>
                  </Table.Tr>
                ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Card>
    </Stack>
  )
}
