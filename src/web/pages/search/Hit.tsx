import { Box, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Output } from '../../api/client.ts'
import { t } from '../../texts/index.ts'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { OutsideBadge } from '../../ui/Outside.tsx'
import { Ago } from '../../ui/times.tsx'

/** A search hit: its kind, an excerpt with the matching words, and why it matches. */
export function Hit({ hit }: { hit: Output<'search_workspace'>['items'][number] }) {
  const { item, project, place, people, snippet, ranges, why, graph_path, trust } = hit
  const matchedBy = hit.matched_by.map((entry) => t.items.search.matched[entry]).join(', ')
  return (
    <Box component="li">
      <Group gap="xs">
        <ItemLink item={item} size="md" isRow />
        {trust === 'external' && <OutsideBadge />}
      </Group>
      <Text size="xs" c="dimmed" component="div">
        {[
          t.items.kind(item.type),
          project?.title ?? '',
          place?.title ?? '',
          people.slice(0, 3).join(', '),
        ]
          .filter((part) => part !== '')
          .join(' · ')}{' '}
        · <Ago time={hit.date} />
      </Text>
      {snippet !== '' && (
        <Text size="sm" mt={4} dir="auto">
          {highlightRanges(snippet, ranges)}
        </Text>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {matchedBy}: {why}{' '}
        {graph_path && graph_path.length > 0 && t.items.search.path(graph_path.join(' → '))}
      </Text>
    </Box>
  )
}

type Range = readonly [start: number, length: number]

/** A text with the matching words highlighted. */
function highlightRanges(text: string, ranges: readonly Range[]): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const [start, length] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (start < end) continue
    parts.push(text.slice(end, start), <mark key={start}>{text.slice(start, start + length)}</mark>)
    end = start + length
  }
  return [...parts, text.slice(end)]
}
