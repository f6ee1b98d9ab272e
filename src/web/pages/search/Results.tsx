import { Group, Stack, Text } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Output } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import { useCommands } from '../../keys/commands.ts'
import { t } from '../../texts/index.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { EmptyState, QueryContent } from '../../ui/states.tsx'
import { formatMoment } from '../../ui/times.tsx'
import { useRowKeys } from '../../ui/work/row-keys.ts'
import { MoreButton } from '../../ui/actions/MoreButton.tsx'
import { searchInputOf, kinds, type SearchQuery } from './query.ts'
import { HandOverButton } from './HandOver.tsx'
import { Hit } from './Hit.tsx'
import { SaveSearch } from './SaveSearch.tsx'

type Searched = Output<'search_workspace'>['searched']

/** Items that match the text in words or meaning. */
export function Results({
  query,
  hasNoNameMatches,
}: {
  query: SearchQuery
  hasNoNameMatches: boolean
}) {
  const hits = useList('search_workspace', searchInputOf(query))
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  return (
    <QueryContent query={hits}>
      {({ pages }) => (
        <Stack>
          <Group justify="space-between" gap="xs">
            <ResultCount
              count={hits.items.length}
              hasMore={hits.hasNextPage}
              searched={pages[0]!.searched}
            />
            <Group gap="xs">
              <ExpertsLink topic={query.q} />
              <SaveSearch query={query} />
              {hits.items.length > 0 && <HandOverButton query={query.q} hits={hits.items} />}
            </Group>
          </Group>
          {hits.items.length === 0 && hasNoNameMatches ? (
            <EmptyState
              icon={IconSearchOff}
              title={t.items.search.none.title(query.q)}
              text={`${t.items.search.none.text(kindsOf(pages[0]!.searched))} ${t.items.search.none.try}`}
            />
          ) : (
            <Stack component="ol" className="plain-list" gap="lg" ref={list}>
              {hits.items.map((hit) => (
                <Hit key={hit.item.id} hit={hit} />
              ))}
            </Stack>
          )}
          <MoreButton query={hits} />
        </Stack>
      )}
    </QueryContent>
  )
}

/** A link to the colleagues who know the subject. */
function ExpertsLink({ topic }: { topic: string }) {
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
    : types.map((kind) => t.items.search.kinds[kind]).join(', ')

/** Number of hits, and the search method. */
function ResultCount({
  count,
  hasMore,
  searched,
}: {
  count: number
  hasMore: boolean
  searched: Searched
}) {
  const texts = t.items.search
  return (
    <Text size="sm" c="dimmed" role="status">
      {texts.results(count, hasMore)}, {texts.by[searched.by]},{' '}
      {texts.asOf(formatMoment(searched.as_of))}.{' '}
      {searched.note ?? (searched.pending > 0 && texts.pending(searched.pending))}
    </Text>
  )
}
