import type { Input, Output } from '../../../api/client.ts'
import { invalidateOperations } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { linkTexts as words } from '../../../texts/en/company/links.ts'
import { t } from '../../../texts/index.ts'
import type { ItemReference } from '../../../ui/ItemLink.tsx'

type Kind = NonNullable<Input<'link_items'>['kind']>
type Related = Output<'find_related_items'>['items'][number]

/** A manual link, as shown on the page of one of its items. */
export interface ShownLink {
  id: string
  kind: Kind
  /** from: it starts at the item of the page. */
  direction: 'from' | 'to'
  note?: string | undefined
  item: Related['item']
}

/** Kind and direction of a link, seen from one of the items. */
export type LinkSense = Pick<ShownLink, 'kind' | 'direction'>

/** Kinds of links to choose from, in words from the page's item. */
export const senses: readonly LinkSense[] = [
  { kind: 'relates_to', direction: 'from' },
  { kind: 'documents', direction: 'from' },
  { kind: 'documents', direction: 'to' },
  { kind: 'caused_by', direction: 'from' },
  { kind: 'caused_by', direction: 'to' },
  { kind: 'results_in', direction: 'from' },
  { kind: 'results_in', direction: 'to' },
  { kind: 'duplicates', direction: 'from' },
]

export const senseText = ({ kind, direction }: LinkSense): string => words[direction][kind]

/** Input of the query for the links of an item. */
export const linksOf = (id: string): Input<'find_related_items'> => ({
  item_id: id,
  relations: ['linked'],
  limit: 100,
})

/** Manual links by people and assistants, without those that follow from other data. */
export const manualLinks = (related: readonly Related[]): ShownLink[] =>
  related.flatMap(({ item, links = [] }) => links.map((link) => ({ ...link, item })))

/** Links an item to another one, or changes the note of their link; null removes the note. */
export async function linkTo(
  item: ItemReference,
  other: Pick<ItemReference, 'id' | 'title'>,
  sense: LinkSense,
  note?: string | null,
): Promise<void> {
  const { kind, direction } = sense
  const [from, to] = direction === 'from' ? [item, other] : [other, item]
  const description =
    note === undefined
      ? words.added(senseText(sense), other.title)
      : words.note[note === null ? 'removed' : 'saved'](other.title)
  await write(
    'link_items',
    { from_id: from.id, to_id: to.id, kind, ...(note !== undefined && { note }) },
    { text: t.tasks.changed(item.key ?? item.title, description) },
  )
  await refetchLinks()
}

/** Removes a link. */
export async function unlink(item: ItemReference, link: ShownLink): Promise<void> {
  await write(
    'unlink_items',
    { link_id: link.id },
    { text: t.tasks.changed(item.key ?? item.title, words.removed(link.item.title)) },
  )
  await refetchLinks()
}

const refetchLinks = () => invalidateOperations('find_related_items', 'explain_connection')
