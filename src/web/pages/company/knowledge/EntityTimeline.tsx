import { Box, Stack, Text } from '@mantine/core'
import { useList } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { formatDate } from '../../../ui/times.tsx'
import { DimmedText } from '../../items/Facts.tsx'
import { ItemSection } from '../../items/Section.tsx'

export function EntityTimeline({ entityId }: { entityId: string }) {
  const events = useList('get_entity_timeline', { entity_id: entityId, limit: 20 })
  return (
    <ItemSection title={t.items.entity.timeline}>
      <QueryContent query={events}>
        {() => (
          <Stack gap="xs">
            {events.items.length === 0 && <DimmedText>{t.items.none}</DimmedText>}
            {events.items.map((entry) => (
              <Box key={`${entry.at} ${entry.title}`}>
                <DimmedText>
                  {formatDate(entry.at)} · {t.items.word(entry.kind)}
                  {entry.change && ` · ${entry.change}`}
                </DimmedText>
                {entry.item ? (
                  <ItemLink item={entry.item} />
                ) : (
                  <Text size="sm" dir="auto">
                    {entry.title}
                  </Text>
                )}
              </Box>
            ))}
            <MoreButton query={events} />
          </Stack>
        )}
      </QueryContent>
    </ItemSection>
  )
}
