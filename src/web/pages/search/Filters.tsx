import { Group, Select } from '@mantine/core'
import { useOperation } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { KindChips } from './KindChips.tsx'
import { times, type SearchQuery, type Time } from './query.ts'

export function Filters({
  query,
  ask,
}: {
  query: SearchQuery
  ask: (change: Partial<SearchQuery>) => void
}) {
  const people = useOperation('list_people', { limit: 100 })
  const projects = useOperation('list_projects', { limit: 100 })
  const words = t.items.search
  return (
    <Group gap="sm" align="flex-end">
      <KindChips query={query} ask={ask} />
      <Select
        size="xs"
        w={150}
        aria-label={words.person}
        placeholder={words.anyone}
        clearable
        searchable
        value={query.person}
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
        value={query.project}
        onChange={(project) => ask({ project })}
        data={(projects.data?.items ?? []).map((item) => ({ value: item.id, label: item.name }))}
        clearButtonProps={{ 'aria-label': words.anyProject }}
      />
      <Select
        size="xs"
        w={150}
        aria-label={words.time}
        allowDeselect={false}
        value={query.time}
        onChange={(time) => ask({ time: time as Time })}
        data={times.map((time) => ({ value: time, label: words.times[time] }))}
      />
    </Group>
  )
}
