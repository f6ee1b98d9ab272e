import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call, type Output } from '../api/client.ts'
import { useSignedIn } from '../session/session.ts'
import { t } from '../texts/index.ts'
import { appPath, linkTo } from '../ui/AppLink.tsx'
import { ItemIcon } from '../ui/ItemLink.tsx'
import { ago } from '../ui/times.tsx'
import { destinationsFor } from './destinations.ts'

export interface PaletteOption {
  id: string
  group: string | undefined
  icon: ReactNode
  label: string
  about?: string | undefined
  go: () => void
}

type Hit = Output<'search_workspace'>['items'][number]

/** From how many characters on the search is asked. */
const fewest = 2

/** What a text leads to: places at once, and what the search finds as soon as it has answered. */
export function useOptions(
  query: string,
  close: () => void,
): { options: PaletteOption[]; isSearching: boolean; problem: string | undefined; status: string } {
  const navigate = useNavigate()
  const { person } = useSignedIn()
  const [asked] = useDebouncedValue(query, 150)
  const isAsked = asked.length >= fewest && query.length >= fewest
  const found = useQuery({
    queryKey: ['call', 'search_workspace', { query: asked, limit: 8 }],
    queryFn: ({ signal }) => call('search_workspace', { query: asked, limit: 8 }, signal),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  const to = (address: string) => () => {
    close()
    void navigate(linkTo(address))
  }
  const places = destinationsFor(person.role)
    .filter((destination) => destination.label.toLowerCase().includes(query.toLowerCase()))
    .slice(0, query === '' ? 20 : 5)
    .map(
      ({ to: path, label, icon: Shape }): PaletteOption => ({
        id: path,
        group: t.app.palette.goTo,
        icon: <Shape size={18} aria-hidden />,
        label,
        go: to(path),
      }),
    )
  const hits = isAsked ? groupsOf(found.data?.items ?? []).map((hit) => optionOf(hit, to)) : []
  const all: PaletteOption[] =
    query === ''
      ? []
      : [
          {
            id: 'all',
            group: undefined,
            icon: <IconSearch size={18} aria-hidden />,
            label: t.app.palette.all(query),
            go: to(`/search?q=${encodeURIComponent(query)}`),
          },
        ]
  const isSearching = query.length >= fewest && (asked !== query || found.isFetching)
  const status =
    query.length < fewest
      ? ''
      : isSearching
        ? t.items.palette.searching
        : t.items.palette.count(places.length + hits.length)
  return {
    options: [...places, ...hits, ...all],
    isSearching,
    problem: isAsked && found.error ? t.items.palette.failed : undefined,
    status,
  }
}

/** Those of a kind beside each other, in the order in which the best of each came. */
function groupsOf(hits: readonly Hit[]): Hit[] {
  return [...Map.groupBy(hits, (hit) => hit.item.type).values()].flat()
}

function optionOf(
  { item, project, place, people, date }: Hit,
  to: (address: string) => () => void,
): PaletteOption {
  return {
    id: item.id,
    group: t.items.search.kinds[item.type] ?? t.items.kind(item.type),
    icon: <ItemIcon type={item.type} size={18} />,
    label: item.key === undefined ? item.title : `${item.key} ${item.title}`,
    about: [project?.title ?? place?.title ?? people.slice(0, 2).join(', '), ago(date)]
      .filter((part) => part !== '')
      .join(' · '),
    go: to(appPath(item.url) ?? '/'),
  }
}
