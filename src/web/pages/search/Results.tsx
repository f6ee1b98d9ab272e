import { Group, Stack, Text } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Output } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import { useCommands } from '../../keys/commands.ts'
import { t } from '../../texts/index.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { Empty, Shown } from '../../ui/states.tsx'
import { formatMoment } from '../../ui/times.tsx'
import { useRowKeys } from '../../ui/work/row-keys.ts'
import { MoreButton } from '../../ui/actions/MoreButton.tsx'
import { searchInputOf, kinds, type SearchQuery } from './query.ts'
import { HandOver } from './HandOver.tsx'
import { Hit } from './Hit.tsx'
import { SaveSearch } from './SaveSearch.tsx'

type Searched = Output<'search_workspace'>['searched']

/** Items that match the text in words or meaning. `isAlone`: no names matched. */
export function Results({ asked: query, isAlone }: { asked: SearchQuery; isAlone: boolean }) {
  const hits = useList('search_workspace', searchInputOf(query))
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  return (
    <Shown query={hits}>
      {({ pages }) => (
        <Stack>
          <Group justify="space-between" gap="xs">
            <ResultCount
              count={hits.items.length}
              isMore={hits.hasNextPage}
              searched={pages[0]!.searched}
            />
            <Group gap="xs">
              <ToExperts topic={query.q} />
              <SaveSearch asked={query} />
              {hits.items.length > 0 && <HandOver query={query.q} hits={hits.items} />}
            </Group>
          </Group>
          {hits.items.length === 0 && isAlone ? (
            <Empty
              icon={IconSearchOff}
              title={t.items.search.none.title(query.q)}
              text={`${t.items.search.none.text(kindsOf(pages[0]!.searched))} ${t.items.search.none.try}`}
            />
          ) : (
            <Stack component="ol" className="plain-list" gap="lg" ref={list}>
              {hits.items.map((item) => (
                <Hit key={item.item.id} hit={item} />
              ))}
            </Stack>
          )}
          <MoreButton query={hits} />
        </Stack>
      )}
    </Shown>
  )
}

/** A link to the colleagues who know the subject. */
function ToExperts({ topic }: { topic: string }) {
  const navigate = useNavigate()
  useCommands({
    'search.experts': () => void navigate({ to: '/people/experts', search: { q: topic } }),
  })
  return (
    <AppLink to={`/people/experts?q=${encodeURIComponent(topic)}`} size="sm">
      {t.keys.commands['search.experts']}
    </AppLink>
  )
}

/** The chosen kinds by name, or a word for all. */
const kindsOf = ({ types }: Searched) =>
  types.length === kinds.length
    ? t.items.search.everything
    : types.map((item) => t.items.search.kinds[item]).join(', ')

/** Number of hits, and the search method. */
function ResultCount({
  count,
  isMore,
  searched,
}: {
  count: number
  isMore: boolean
  searched: Searched
}) {
  const words = t.items.search
  return (
    <Text size="sm" c="dimmed" role="status">
      {words.results(count, isMore)}, {words.by[searched.by]},{' '}
      {words.asOf(formatMoment(searched.as_of))}.{' '}
      {searched.note ?? (searched.pending > 0 && words.pending(searched.pending))}
    </Text>
  )
}
