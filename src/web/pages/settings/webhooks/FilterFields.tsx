import { Checkbox, MultiSelect, Stack } from '@mantine/core'
import type { Output } from '../../../api/client.ts'
import { settingsTexts as t } from '../texts.ts'
import { useAllItems } from '../shared/lists.ts'

type Filter = NonNullable<Output<'list_webhooks'>['items'][number]['filter']>
const texts = t.organization.webhooks

/** Filter of the events to send. `rest`: settings that this form does not show. */
export interface FilterValues {
  projectIds: string[]
  byOthers: boolean
  rest: Omit<Filter, 'project_ids' | 'by_others'>
}

export function filterValues(filter: Filter | undefined): FilterValues {
  const { project_ids = [], by_others = false, ...rest } = filter ?? {}
  return { projectIds: project_ids, byOthers: by_others, rest }
}

/** Converts the filter to the server's format; undefined if nothing is filtered. */
export function toFilterInput({ projectIds, byOthers, rest }: FilterValues): Filter | undefined {
  const filter = {
    ...rest,
    ...(projectIds.length > 0 ? { project_ids: projectIds } : {}),
    ...(byOthers ? { by_others: true } : {}),
  }
  return Object.keys(filter).length > 0 ? filter : undefined
}

export function FilterFields({
  value,
  onChange,
}: {
  value: FilterValues
  onChange: (filter: FilterValues) => void
}) {
  const projects = useAllItems('list_projects', {})
  return (
    <Stack gap="sm">
      <MultiSelect
        label={texts.projects}
        placeholder={value.projectIds.length === 0 ? texts.allProjects : undefined}
        data={(projects.data ?? []).map((project) => ({ value: project.id, label: project.name }))}
        value={value.projectIds}
        onChange={(projectIds) => onChange({ ...value, projectIds })}
        searchable
        clearable
      />
      <Checkbox
        label={texts.byOthers}
        checked={value.byOthers}
        onChange={(event) => onChange({ ...value, byOthers: event.currentTarget.checked })}
      />
    </Stack>
  )
}
