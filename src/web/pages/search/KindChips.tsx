import { Chip, Group } from '@mantine/core'
import { useCommands } from '../../keys/commands.ts'
import { pressedKey } from '../../keys/match.ts'
import { bindingOf } from '../../keys/own-keys.ts'
import { t } from '../../texts/index.ts'
import { useFacets } from './facets.ts'
import type { SearchKind, SearchQuery } from './query.ts'

/** The kinds with their numbers of hits; a digit filters by one of them. */
export function KindChips({
  query,
  changeQuery,
}: {
  query: SearchQuery
  changeQuery: (change: Partial<SearchQuery>) => void
}) {
  const facets = useFacets(query)
  const texts = t.items.search
  useCommands({
    'search.kind': (event) => {
      if (!event) return false
      const facet = facets[bindingOf('search.kind').keys.indexOf(pressedKey(event))]
      if (!facet) return false
      const isAlone = query.kinds.length === 1 && query.kinds[0] === facet.kind
      changeQuery({ kinds: isAlone ? [] : [facet.kind] })
    },
  })
  return (
    <Group gap={6} role="group" aria-label={texts.kindsLabel}>
      <Chip.Group
        multiple
        value={query.kinds}
        onChange={(kinds) => changeQuery({ kinds: kinds as SearchKind[] })}
      >
        {facets.map(({ kind, count }) => (
          <Chip key={kind} value={kind} size="xs" variant="outline">
            {count === undefined
              ? texts.kinds[kind]
              : texts.kindCount(texts.kinds[kind] ?? kind, count)}
          </Chip>
        ))}
      </Chip.Group>
    </Group>
  )
}
