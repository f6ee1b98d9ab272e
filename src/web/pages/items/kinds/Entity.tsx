import { Badge, Box, Group, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Output } from '../../../api/client.ts'
import { useList, useOperation } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { PlainText } from '../../../ui/Outside.tsx'
import { Shown } from '../../../ui/states.tsx'
import { date } from '../../../ui/times.tsx'
import { Quiet } from '../Facts.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../Found.tsx'
import { ItemFrame } from '../Frame.tsx'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { ItemSection, Spot } from '../Section.tsx'

type Details = Output<'get_entity'>

/** What is known of someone or something. */
export function Entity() {
  const { id } = useParams({ strict: false }) as { id: string }
  const found = useOperation('get_entity', { entity_id: id })
  return (
    <Loaded of={found}>
      {(entity) => (
        <ItemFrame
          type="entity"
          title={entity.name}
          item={entity}
          id={entity.id}
          status={
            <Badge variant="light" tt="none">
              {t.items.word(entity.type)}
            </Badge>
          }
        >
          {entity.description && <PlainText text={entity.description} />}
          <Facts
            of={[
              [t.items.entity.aliases, entity.aliases.join(', ')],
              [t.items.entity.item, entity.item && <ItemLink item={entity.item} />],
            ]}
          />
          <Known of={entity.facts} />
          <Relations of={entity.id} />
          {entity.observations.length > 0 && (
            <ItemSection title={t.items.entity.observations}>
              {entity.observations.map((observation) => (
                <Spot key={observation.id} id={observation.id}>
                  <PlainText text={observation.body} />
                  <Source of={observation.source} at={observation.observed_at} />
                </Spot>
              ))}
            </ItemSection>
          )}
          <Timeline of={entity.id} />
        </ItemFrame>
      )}
    </Loaded>
  )
}

function Known({ of }: { of: Details['facts'] }) {
  if (of.length === 0) return null
  return (
    <ItemSection title={t.items.entity.facts}>
      {of.map((factInList) => (
        <Spot key={factInList.id} id={factInList.id}>
          <Text size="sm" component="div">
            <Text span size="sm" c="dimmed">
              {t.items.word(factInList.predicate)}:{' '}
            </Text>
            {factInList.value_entity ? (
              <ItemLink item={factInList.value_entity} />
            ) : (
              <span dir="auto">{factInList.value}</span>
            )}
          </Text>
          <Source of={factInList.source} at={factInList.valid_from} until={factInList.valid_to} />
        </Spot>
      ))}
    </ItemSection>
  )
}

function Source({
  of,
  at,
  until,
}: {
  of: Details['facts'][number]['source']
  at: string
  until?: string | undefined
}) {
  return (
    <Group gap="xs">
      <Quiet>
        {t.items.entity.since(date(at))}
        {until && `, ${t.items.entity.until(date(until))}`}
        {of === 'hidden' && `, ${t.items.entity.hidden}`}
      </Quiet>
      {of !== undefined && of !== 'hidden' && <ItemLink item={of} />}
    </Group>
  )
}

function Relations({ of }: { of: string }) {
  const found = useOperation('get_entity_neighbors', { entity_id: of, depth: 1, limit: 50 })
  return (
    <Shown of={found}>
      {({ edges }) =>
        edges.length > 0 && (
          <ItemSection title={t.items.entity.relations}>
            {edges.map((edge) => (
              <Group key={edge.id} gap="xs">
                <ItemLink item={edge.from} />
                <Quiet>{t.items.word(edge.type).toLowerCase()}</Quiet>
                <ItemLink item={edge.to} />
              </Group>
            ))}
          </ItemSection>
        )
      }
    </Shown>
  )
}

function Timeline({ of }: { of: string }) {
  const found = useList('get_entity_timeline', { entity_id: of, limit: 20 })
  return (
    <ItemSection title={t.items.entity.timeline}>
      <Shown of={found}>
        {() => (
          <Stack gap="xs">
            {found.items.length === 0 && <Quiet>{t.items.none}</Quiet>}
            {found.items.map((entry, i) => (
              <Box key={i}>
                <Quiet>
                  {date(entry.at)} · {t.items.word(entry.kind)}
                  {entry.change && ` · ${entry.change}`}
                </Quiet>
                {entry.item ? (
                  <ItemLink item={entry.item} />
                ) : (
                  <Text size="sm" dir="auto">
                    {entry.title}
                  </Text>
                )}
              </Box>
            ))}
            <MoreButton of={found} />
          </Stack>
        )}
      </Shown>
    </ItemSection>
  )
}
