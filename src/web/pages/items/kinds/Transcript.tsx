import { Button, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { OutsideBadge } from '../../../ui/Outside.tsx'
import { Shown } from '../../../ui/states.tsx'

/** What was said, line by line. */
export function Transcript({ of }: { of: string }) {
  const found = useInfiniteQuery({
    queryKey: ['call', 'get_transcript', { meeting_id: of }, 'parts'],
    queryFn: ({ pageParam, signal }) =>
      call(
        'get_transcript',
        { meeting_id: of, limit: 100, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  })
  return (
    <Shown of={found}>
      {({ pages }) => (
        <Stack gap="xs" align="flex-start">
          <OutsideBadge />
          {pages
            .flatMap((page) => page.lines)
            .map((line, i) => (
              <Text key={i} size="sm">
                {line.at_second !== undefined && (
                  <Text span c="dimmed" mr={8} ff="monospace" size="xs">
                    {clock(line.at_second)}
                  </Text>
                )}
                <Text span fw={600} size="sm" mr={6} dir="auto">
                  {line.speaker}:
                </Text>
                <span dir="auto">{line.text}</span>
              </Text>
            ))}
          {found.hasNextPage && (
            <Button
              variant="default"
              loading={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage()}
            >
              {t.items.meeting.more}
            </Button>
          )}
        </Stack>
      )}
    </Shown>
  )
}

function clock(seconds: number): string {
  const parts = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    Math.floor(seconds) % 60,
  ]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
