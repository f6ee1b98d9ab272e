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
  const texts = t.items.search
  return (
    <Group gap="sm" align="flex-end">
      <KindChips query={query} changeQuery={changeQuery} />
      <Select
        size="xs"
        w={150}
        aria-label={texts.person}
        placeholder={texts.anyone}
        clearable
        searchable
        value={query.person}
        onChange={(person) => changeQuery({ person })}
        data={(people.data?.items ?? []).map((item) => ({
          value: item.id,
          label: item.display_name,
        }))}
        clearButtonProps={{ 'aria-label': texts.anyone }}
      />
      <Select
        size="xs"
        w={150}
        aria-label={texts.project}
        placeholder={texts.anyProject}
        clearable
        searchable
        value={query.project}
        onChange={(project) => changeQuery({ project })}
        data={(projects.data?.items ?? []).map((item) => ({ value: item.id, label: item.name }))}
        clearButtonProps={{ 'aria-label': texts.anyProject }}
      />
      <Select
        size="xs"
        w={150}
        aria-label={texts.time}
        allowDeselect={false}
        value={query.time}
        onChange={(time) => changeQuery({ time: time as TimeRange })}
        data={timeRanges.map((time) => ({ value: time, label: texts.times[time] }))}
      />
    </Group>
  )
}
