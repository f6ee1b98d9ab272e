import { keepPreviousData } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { knowledgeTexts } from '../../../texts/en/company/knowledge.ts'
import { t } from '../../../texts/index.ts'
import { itemTypeOf } from '../../../ui/kinds.ts'
import { useDebouncedQuery } from '../sought.ts'

const { sameName: words } = knowledgeTexts

type EntityMatch = Pick<
  Output<'search_entities'>['items'][number],
  'id' | 'name' | 'type' | 'item' | 'description'
>

interface EntityFieldProps {
  label: string
  isFirst: boolean
  isRequired: boolean
  limit: number
  /** The id of an entity, or the typed text. */
  value: string
  set: (value: string) => void
}

/** The name of an entity, with completion by prefix. If several share the name, the intended one is chosen. */
export function EntityField({ label, isFirst, isRequired, limit, value, set }: EntityFieldProps) {
  const listId = useId()
  const isId = itemTypeOf(value) === 'entity'
  const [draftText, setDraftText] = useState(isId ? undefined : value)
  const selected = useOperation(
    'get_entity',
    { entity_id: value },
    { enabled: draftText === undefined },
  )
  const text = draftText ?? selected.data?.name ?? ''
  const query = useDebouncedQuery(text)
  const search = useOperation(
    'search_entities',
    { query, limit: 10, fields: ['name', 'type', 'item', 'description'] },
    { enabled: query !== '', placeholderData: keepPreviousData }, // keeps the choice between equal names
  )
  const items: readonly EntityMatch[] = search.data?.items ?? []
  const sameNamed = items.filter(({ name }) => fold(name) === fold(text))
  return (
    <>
      <label>
        {label}
        <input
          value={text}
          required={isRequired}
          maxLength={limit}
          dir="auto"
          data-autofocus={isFirst || undefined}
          list={listId}
          autoComplete="off"
          onChange={(event) => {
            setDraftText(event.currentTarget.value)
            set(event.currentTarget.value)
          }}
        />
      </label>
      <datalist id={listId}>
        {items.map(({ id, name, type }) => (
          <option key={id} value={name}>
            {t.items.word(type)}
          </option>
        ))}
      </datalist>
      {sameNamed.length > 1 && (
        <label>
          {words.which(sameNamed.length, text.trim())}
          <select
            required
            value={isId ? value : ''}
            onChange={(event) => {
              setDraftText(text)
              set(event.currentTarget.value || text)
            }}
          >
            <option value="">{words.choose}</option>
            {sameNamed.map((entity) => (
              <SameNameOption key={entity.id} entity={entity} />
            ))}
          </select>
        </label>
      )}
    </>
  )
}

const fold = (name: string) => name.trim().toLowerCase()

/** An entity among those with the same name, described by its kind and context. */
function SameNameOption({
  entity: { id, name, type, item, description },
}: {
  entity: EntityMatch
}) {
  const { data } = useOperation('get_entity_neighbors', { entity_id: id, depth: 1, limit: 5 })
  const [edge] = data?.edges ?? []
  const related = edge && relatedText(edge, id)
  const context = item && item.title !== name ? item.title : (related ?? description?.slice(0, 80))
  return <option value={id}>{[t.items.word(type), context].filter(Boolean).join(' · ')}</option>
}

/** A relation from the perspective of one of its entities, such as “works at Harbor”. */
function relatedText(
  { from, type, to }: Output<'get_entity_neighbors'>['edges'][number],
  id: string,
): string {
  const relation = t.items.word(type).toLowerCase()
  return from.id === id ? `${relation} ${to.title}` : `${from.title} ${relation} ${to.title}`
}
