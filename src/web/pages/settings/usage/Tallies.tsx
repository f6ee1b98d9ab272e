import { Anchor, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { settingsTexts as t } from '../texts.ts'
import { formatNumber } from '../shared/words.ts'
import type { Tally } from '../../../api/usage.ts'

const words = t.organization.usage
const few = 10

/** Call counts by a criterion, busiest first. */
export function Tallies({
  label,
  name,
  rows,
}: {
  label: string
  name: string
  rows: (Tally & { name: string })[]
}) {
  const [isAll, setAll] = useState(false)
  if (rows.length === 0) return <Text size="sm">{words.nothing}</Text>
  return (
    <Stack gap="xs">
      <Table aria-label={label} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{name}</Table.Th>
            {[words.calls, words.errors, words.denied].map((item) => (
              <Table.Th key={item} ta="end" w={82}>
                {item}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, isAll ? undefined : few).map((row, i) => (
            <Table.Tr key={i}>
              <Table.Th scope="row" fw={400} dir="auto">
                {row.name}
              </Table.Th>
              {[row.calls, row.errors, row.denied].map((value, at) => (
                <Table.Td key={at} ta="end">
                  {formatNumber(value)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > few && !isAll && (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setAll(true)}>
          {words.all(rows.length)}
        </Anchor>
      )}
    </Stack>
  )
}
