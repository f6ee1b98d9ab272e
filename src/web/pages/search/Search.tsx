import { Button, Group, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState, type FormEvent } from 'react'
import { t } from '../../texts/index.ts'
import { Page } from '../../ui/Page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useSearchQuery } from './query.ts'
import { Filters } from './Filters.tsx'
import { useNamedItems } from './named.ts'
import { NamedItems } from './NamedItems.tsx'
import { Results } from './Results.tsx'
import { SavedSearches } from './SavedSearches.tsx'

export function Search() {
  const [query, changeQuery] = useSearchQuery()
  const [text, setText] = useState(query.q)
  const isNarrowed = query.kinds.length > 0 || query.person !== null || query.project !== null
  const nameMatches = useNamedItems(isNarrowed ? '' : query.q)
  useEffect(() => setText(query.q), [query.q])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    changeQuery({ q: text.trim() })
  }
  return (
    <Page title={t.items.search.title}>
      <form onSubmit={submit} role="search">
        <Group gap="sm" wrap="nowrap">
          <TextInput
            flex={1}
            miw={0}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            aria-label={t.items.search.label}
            placeholder={t.items.search.placeholder}
            leftSection={<IconSearch size={16} aria-hidden />}
            maxLength={2000}
            autoFocus={query.q === ''}
          />
          <Button type="submit">{t.items.search.title}</Button>
        </Group>
      </form>
      <Filters query={query} changeQuery={changeQuery} />
      {query.q === '' ? (
        <>
          <SavedSearches />
          <EmptyState icon={IconSearch} {...t.items.search.start} />
        </>
      ) : (
        <>
          <NamedItems items={nameMatches} />
          <Results query={query} hasNoNameMatches={nameMatches.length === 0} />
        </>
      )}
    </Page>
  )
}
