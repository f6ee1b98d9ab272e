import { Chip, Group, Select } from '@mantine/core'
import { useOperation } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { kinds, times, type SearchQuery, type SearchKind, type Time } from './query.ts'

/** What a search is narrowed to. */
export function Filters({
  asked,
  ask,
}: {
  asked: SearchQuery
  ask: (change: Partial<SearchQuery>) => void
}) {
  const people = useOperation('list_people', { limit: 100 })
  const projects = useOperation('list_projects', { limit: 100 })
  const words = t.items.search
  return (
    <Group gap="sm" align="flex-end">
      <Group gap={6} role="group" aria-label={words.kindsLabel}>
        <Chip.Group
          multiple
          value={asked.kinds}
          onChange={(some) => ask({ kinds: some as SearchKind[] })}
        >
          {kinds.map((kind) => (
            <Chip key={kind} value={kind} size="xs" variant="outline">
              {words.kinds[kind]}
            </Chip>
          ))}
        </Chip.Group>
      </Group>
      <Select
        size="xs"
        w={150}
        aria-label={words.person}
        placeholder={words.anyone}
        clearable
        searchable
        value={asked.person}
        onChange={(person) => ask({ person })}
        data={(people.data?.items ?? []).map((item) => ({
          value: item.id,
          label: item.display_name,
        }))}
        clearButtonProps={{ 'aria-label': words.anyone }}
      />
      <Select
        size="xs"
        w={150}
        aria-label={words.project}
        placeholder={words.anyProject}
        clearable
        searchable
        value={asked.project}
        onChange={(project) => ask({ project })}
        data={(projects.data?.items ?? []).map((item) => ({ value: item.id, label: item.name }))}
        clearButtonProps={{ 'aria-label': words.anyProject }}
      />
      <Select
        size="xs"
        w={150}
        aria-label={words.time}
        allowDeselect={false}
        value={asked.time}
        onChange={(time) => ask({ time: time as Time })}
        data={times.map((time) => ({ value: time, label: words.times[time] }))}
      />
    </Group>
  )
}
