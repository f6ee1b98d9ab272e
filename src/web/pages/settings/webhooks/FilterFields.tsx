import { Checkbox, MultiSelect, Stack } from '@mantine/core'
import type { Output } from '../../../api/client.ts'
import { settingsTexts as t } from '../texts.ts'
import { useAllItems } from '../shared/lists.ts'

type Filter = NonNullable<Output<'list_webhooks'>['items'][number]['filter']>
const words = t.organization.webhooks

/** Filter of the events to send. `rest`: settings that this form does not show. */
export interface TypedFilter {
  projects: string[]
  byOthers: boolean
  rest: Omit<Filter, 'project_ids' | 'by_others'>
}

export function typedFilter(filter: Filter | undefined): TypedFilter {
  const { project_ids = [], by_others = false, ...rest } = filter ?? {}
  return { projects: project_ids, byOthers: by_others, rest }
}

/** Converts the filter to the server's format; undefined if nothing is filtered. */
export function sentFilter({ projects, byOthers, rest }: TypedFilter): Filter | undefined {
  const filter = {
    ...rest,
    ...(projects.length > 0 ? { project_ids: projects } : {}),
    ...(byOthers ? { by_others: true } : {}),
  }
  return Object.keys(filter).length > 0 ? filter : undefined
}

export function FilterFields({
  value,
  onChange,
}: {
  value: TypedFilter
  onChange: (filter: TypedFilter) => void
}) {
  const projects = useAllItems('list_projects', {})
  return (
    <Stack gap="sm">
      <MultiSelect
        label={words.projects}
        placeholder={value.projects.length === 0 ? words.allProjects : undefined}
        data={(projects.data ?? []).map((project) => ({ value: project.id, label: project.name }))}
        value={value.projects}
        onChange={(chosen) => onChange({ ...value, projects: chosen })}
        searchable
        clearable
      />
      <Checkbox
        label={words.byOthers}
        checked={value.byOthers}
        onChange={(event) => onChange({ ...value, byOthers: event.currentTarget.checked })}
      />
    </Stack>
  )
}
