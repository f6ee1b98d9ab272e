import { useDebouncedValue } from '@mantine/hooks'
import { IconBolt, IconSearch, IconUserQuestion } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call, type Output } from '../api/client.ts'
import { activeCommands, runCommand } from '../keys/commands.ts'
import { groupOf, type CommandId } from '../keys/keymap.ts'
import { useNamedItems, type NamedItem } from '../pages/search/named.ts'
import { useSignedIn, type SessionRole } from '../session/session.ts'
import { t } from '../texts/index.ts'
import { appPath, linkTo } from '../ui/AppLink.tsx'
import { ItemIcon } from '../ui/ItemLink.tsx'
import { ago } from '../ui/times.tsx'
import { wordFilter } from '../ui/work/text-filter.ts'
import { destinationsFor } from './destinations.ts'

export interface PaletteOption {
  id: string
  group: string | undefined
  icon: ReactNode
  label: string
  detail?: string | undefined
  command?: CommandId | undefined
  go: () => void
}

interface PaletteOptions {
  options: PaletteOption[]
  isSearching: boolean
  problem: string | undefined
  /** Number of options, to be announced. */
  status: string
}

type Hit = Output<'search_workspace'>['items'][number]
/** Creates a function that opens an address of the app. */
type GoTo = (address: string) => () => void

/** Minimum characters for a search on the server. */
const minQueryLength = 2

/** Options for a text: commands and places immediately, and search hits once they arrive. */
export function useOptions(query: string, close: () => void): PaletteOptions {
  const navigate = useNavigate()
  const { person } = useSignedIn()
  const { hits, isSearching, problem } = useHits(query)
  const goTo: GoTo = (address) => () => {
    close()
    void navigate(linkTo(address))
  }
  const commands = commandOptions(query, close)
  const places = placeOptions(query, person.role, goTo)
  const nameMatches = useNamedItems(query)
  const nameOptions = nameMatches.map((item) => namedOption(item, goTo))
  const hitOptions = groupHitsByType(hits)
    .filter((hit) => !nameMatches.some((item) => item.id === hit.item.id))
    .map((hit) => hitOption(hit, goTo))
  const optionCount = commands.length + places.length + nameOptions.length + hitOptions.length
  const hasExact = nameMatches.some((item) => item.isExact)
  return {
    options: [
      ...(hasExact ? nameOptions : []),
      ...commands.filter(isScreenCommand),
      ...places,
      ...commands.filter((option) => !isScreenCommand(option)),
      ...(hasExact ? [] : nameOptions),
      ...hitOptions,
      ...questionOptions(query, goTo),
    ],
    isSearching,
    problem,
    status: searchStatusText(query, isSearching, optionCount),
  }
}

function useHits(query: string): {
  hits: Hit[]
  isSearching: boolean
  problem: string | undefined
} {
  const [debouncedQuery] = useDebouncedValue(query, 150)
  const isLongEnough = query.length >= minQueryLength
  const isEnabled = isLongEnough && debouncedQuery.length >= minQueryLength
  const search = useQuery({
    queryKey: ['call', 'search_workspace', { query: debouncedQuery, limit: 8 }],
    queryFn: ({ signal }) => call('search_workspace', { query: debouncedQuery, limit: 8 }, signal),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  })
  return {
    hits: isEnabled ? (search.data?.items ?? []) : [],
    isSearching: isLongEnough && (debouncedQuery !== query || search.isFetching),
    problem: isEnabled && search.error ? t.items.palette.failed : undefined,
  }
}

function searchStatusText(query: string, isSearching: boolean, count: number): string {
  if (query.length < minQueryLength) return ''
  return isSearching ? t.items.palette.searching : t.items.palette.count(count)
}

function placeOptions(query: string, role: SessionRole, goTo: GoTo): PaletteOption[] {
  const matches = wordFilter(query)
  return destinationsFor(role)
    .filter((destination) => matches(destination.label))
    .slice(0, query === '' ? 20 : 5)
    .map(({ to, label, icon: Shape, command }) => ({
      id: to,
      group: t.app.palette.goTo,
      icon: <Shape size={17} stroke={1.7} aria-hidden />,
      label,
      command,
      go: goTo(to),
    }))
}

function questionOptions(query: string, goTo: GoTo): PaletteOption[] {
  if (query === '') return []
  return [
    {
      id: 'all',
      group: undefined,
      icon: <IconSearch size={17} stroke={1.7} aria-hidden />,
      label: t.app.palette.all(query),
      go: goTo(`/search?q=${encodeURIComponent(query)}`),
    },
    {
      id: 'experts',
      group: undefined,
      icon: <IconUserQuestion size={17} stroke={1.7} aria-hidden />,
      label: t.app.palette.experts(query),
      go: goTo(`/people/experts?q=${encodeURIComponent(query)}`),
    },
  ]
}

/** Commands that make no sense in the menu: opening it, and moving by keys. */
const unlistedCommands: readonly CommandId[] = [
  'app.palette',
  'app.find',
  'list.next',
  'list.previous',
  'list.pickDown',
  'list.pickUp',
  'activity.next',
  'activity.previous',
  'activity.close',
]

/**
 * Commands available on the current screen, filtered by their words. A command runs once the menu has closed and the
 * focus is back on the page.
 */
function commandOptions(query: string, close: () => void): PaletteOption[] {
  const matches = wordFilter(query)
  return activeCommands()
    .filter((id) => groupOf(id) !== 'go' && !unlistedCommands.includes(id))
    .filter((id) => matches(t.keys.commands[id]))
    .map((id) => ({
      id,
      group: t.keys.groups[groupOf(id)],
      icon: <IconBolt size={17} stroke={1.7} aria-hidden />,
      label: t.keys.commands[id],
      command: id,
      go: () => {
        close()
        setTimeout(() => runCommand(id))
      },
    }))
}

/** True if it belongs to the screen, not to the whole app. */
const isScreenCommand = ({ command }: PaletteOption) =>
  command !== undefined && groupOf(command) !== 'app'

/** Groups hits by kind, in the order of the best hit of each. */
function groupHitsByType(hits: readonly Hit[]): Hit[] {
  return [...Map.groupBy(hits, (hit) => hit.item.type).values()].flat()
}

function namedOption(item: NamedItem, goTo: GoTo): PaletteOption {
  return {
    id: item.id,
    group: t.items.kind(item.type),
    icon: <ItemIcon type={item.type} size={17} />,
    label: item.key === undefined ? item.title : `${item.key} ${item.title}`,
    go: goTo((item.url === undefined ? undefined : appPath(item.url)) ?? '/'),
  }
}

function hitOption({ item, project, place, people, date }: Hit, goTo: GoTo): PaletteOption {
  return {
    id: item.id,
    group: t.items.search.kinds[item.type] ?? t.items.kind(item.type),
    icon: <ItemIcon type={item.type} size={17} />,
    label: item.key === undefined ? item.title : `${item.key} ${item.title}`,
    detail: [project?.title ?? place?.title ?? people.slice(0, 2).join(', '), ago(date)]
      .filter((part) => part !== '')
      .join(' · '),
    go: goTo(appPath(item.url) ?? '/'),
  }
}
