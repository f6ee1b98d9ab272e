import { Anchor, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { settingsTexts as t } from '../texts.ts'
import { formatNumber } from '../shared/words.ts'
import type { Tally } from '../../../api/usage.ts'

const texts = t.organization.usage
const initialRowCount = 10

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
  const [isShowingAll, setShowingAll] = useState(false)
  if (rows.length === 0) return <Text size="sm">{texts.nothing}</Text>
  return (
    <Stack gap="xs">
      <Table aria-label={label} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{name}</Table.Th>
            {[texts.calls, texts.errors, texts.denied].map((item) => (
              <Table.Th key={item} ta="end" w={82}>
                {item}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, isShowingAll ? undefined : initialRowCount).map((row, i) => (
            <Table.Tr key={i}>
              <Table.Th scope="row" fw={400} dir="auto">
                {row.name}
              </Table.Th>
              {[row.calls, row.errors, row.denied].map((value, columnIndex) => (
                <Table.Td key={columnIndex} ta="end">
                  {formatNumber(value)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > initialRowCount && !isShowingAll && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="start"
          onClick={() => setShowingAll(true)}
        >
          {texts.all(rows.length)}
        </Anchor>
      )}
    </Stack>
  )
}
