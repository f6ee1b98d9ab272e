import { Group, Select } from '@mantine/core'
import { useOperation } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { KindChips } from './KindChips.tsx'
import { timeRanges, type SearchQuery, type TimeRange } from './query.ts'

export function Filters({
  query,
  changeQuery,
}: {
  query: SearchQuery
  changeQuery: (change: Partial<SearchQuery>) => void
}) {
  const people = useOperation('list_people', { limit: 100 })
  const projects = useOperation('list_projects', { limit: 100 })
  const words = t.items.search
  return (
    <Group gap="sm" align="flex-end">
      <KindChips query={query} ask={changeQuery} />
      <Select
        size="xs"
        w={150}
        aria-label={words.person}
        placeholder={words.anyone}
        clearable
        searchable
        value={query.person}
        onChange={(person) => changeQuery({ person })}
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
        onChange={(project) => changeQuery({ project })}
        data={(projects.data?.items ?? []).map((item) => ({ value: item.id, label: item.name }))}
        clearButtonProps={{ 'aria-label': words.anyProject }}
      />
      <Select
        size="xs"
        w={150}
        aria-label={words.time}
        allowDeselect={false}
        value={query.time}
        onChange={(time) => changeQuery({ time: time as TimeRange })}
        data={timeRanges.map((time) => ({ value: time, label: words.times[time] }))}
      />
    </Group>
  )
}
