import { NativeSelect } from '@mantine/core'
import { useEndpoint } from '../../api/queries.ts'
import { t } from './texts.ts'
import { Problem } from '../../ui/states.tsx'
import styles from './activity.module.css'
import { describeTool } from './calls.ts'
import type { Filter } from './filter.ts'

type Option = { value: string; label: string }
const named = (some: { id: string; title: string }[] = []): Option[] =>
  some.map((item) => ({ value: item.id, label: item.title }))

/** Filters that are needed now and then. */
export function MoreFilters({
  filter,
  change,
}: {
  filter: Filter
  change: (part: Filter) => void
}) {
  const names = useEndpoint('/web/activity/names', { of: filter.of ?? 'me' })
  const { data } = names
  const text = t.activity.filters
  if (names.error) return <Problem error={names.error} retry={() => void names.refetch()} />
  const tools = data?.tools
    .filter((tool) => filter.module === undefined || tool.module === filter.module)
    .map((tool) => ({ value: tool.name, label: describeTool(tool.name) }))
  const some: [keyof Filter, string, string, Option[] | undefined][] = [
    ['key', text.key, text.anyKey, named(data?.keys)],
    ...(filter.of === 'organization'
      ? [
          ['person', text.person, text.anyone, named(data?.people)] as [
            keyof Filter,
            string,
            string,
            Option[],
          ],
        ]
      : []),
    [
      'client',
      text.client,
      text.anyClient,
      data?.clients.map((client) => ({ value: client, label: client })),
    ],
    [
      'module',
      text.module,
      text.anyModule,
      data?.modules.map((module) => ({ value: module, label: describeTool(module) })),
    ],
    ['tool', text.tool, text.anyTool, tools],
    [
      'kind',
      text.kind,
      text.anyKind,
      Object.entries(t.activity.kinds).map(([value, label]) => ({ value, label })),
    ],
  ]
  return (
    <div className={styles.filters}>
      {some.map(([name, label, any, options = []]) => (
        <NativeSelect
          key={name}
          size="xs"
          label={label}
          value={filter[name] ?? ''}
          data={[{ value: '', label: any }, ...withChosen(options, filter[name])]}
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

/** What an address asks for is among the choices, also where the log has nothing of it. */
function withChosen(options: Option[], chosen: string | undefined): Option[] {
  return chosen === undefined || options.some((option) => option.value === chosen)
    ? options
    : [...options, { value: chosen, label: chosen }]
}
