import { NativeSelect } from '@mantine/core'
import type { GetOutput } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { activityTexts as t } from './texts.ts'
import { Problem } from '../../ui/states.tsx'
import styles from './activity.module.css'
import { describeTool } from './calls/calls.ts'
import type { Filter } from './filter.ts'

type LogNames = GetOutput<'/web/activity/names'>
type Option = { value: string; label: string }
const toOptions = (items: { id: string; title: string }[] = []): Option[] =>
  items.map((item) => ({ value: item.id, label: item.title }))

/** Less common filters. */
export function MoreFilters({
  filter,
  change,
}: {
  filter: Filter
  change: (patch: Filter) => void
}) {
  const names = useEndpoint('/web/activity/names', { of: filter.of ?? 'me' })
  if (names.error) return <Problem error={names.error} retry={() => void names.refetch()} />
  return (
    <div className={styles.filters}>
      {filterChoicesOf(filter, names.data).map(({ name, label, anyLabel, options }) => (
        <NativeSelect
          key={name}
          size="xs"
          label={label}
          value={filter[name] ?? ''}
          data={[{ value: '', label: anyLabel }, ...withSelected(options, filter[name])]}
          onChange={(event) =>
            change({
              [name]: event.currentTarget.value,
              ...(name === 'module' ? { tool: '' } : {}),
            })
          }
        />
      ))}
    </div>
  )
}

interface Choice {
  name: keyof Filter
  label: string
  anyLabel: string
  options: Option[]
}

/** The choices of each filter, as far as the names in the log are known. */
function filterChoicesOf(filter: Filter, names: LogNames | undefined): Choice[] {
  const text = t.activity.filters
  const tools = names?.tools.filter(
    (tool) => filter.module === undefined || tool.module === filter.module,
  )
  const person = { name: 'person', label: text.person, anyLabel: text.anyone } as const
  return [
    { name: 'key', label: text.key, anyLabel: text.anyKey, options: toOptions(names?.keys) },
    ...(filter.of === 'organization' ? [{ ...person, options: toOptions(names?.people) }] : []),
    {
      name: 'client',
      label: text.client,
      anyLabel: text.anyClient,
      options: optionsOf(names?.clients, (client) => client),
    },
    {
      name: 'module',
      label: text.module,
      anyLabel: text.anyModule,
      options: optionsOf(names?.modules, describeTool),
    },
    {
      name: 'tool',
      label: text.tool,
      anyLabel: text.anyTool,
      options: optionsOf(
        tools?.map((tool) => tool.name),
        describeTool,
      ),
    },
    {
      name: 'kind',
      label: text.kind,
      anyLabel: text.anyKind,
      options: Object.entries(t.activity.kinds).map(([value, label]) => ({ value, label })),
    },
  ]
}

const optionsOf = (values: string[] = [], labelOf: (value: string) => string): Option[] =>
  values.map((value) => ({ value, label: labelOf(value) }))

/** Adds the value from the address to the choices, even if the log has no entry for it. */
function withSelected(options: Option[], selectedValue: string | undefined): Option[] {
  return selectedValue === undefined || options.some((option) => option.value === selectedValue)
    ? options
    : [...options, { value: selectedValue, label: selectedValue }]
}
