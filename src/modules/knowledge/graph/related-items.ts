import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { pageOf, paging } from '../../../kernel/fields.ts'
import { searchItems } from '../../../operations/search/search-items.ts'
import type { ItemHit } from '../../../operations/search/results.ts'
import { isSimilar, leadingText, linksFrom } from '../../../operations/search/similar.ts'
import { pageOfHits } from '../../../operations/search/hits.ts'
import { anyItem, type AnyItem } from '../../../records/items.ts'
import { operation } from '../../../operations/operation.ts'
import { pageWithItems } from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Id } from '../../../kernel/ids.ts'
import { itemResources } from '../../../records/resource.ts'
import { parseQuery } from '../../../search/query.ts'
import { ItemRef, trust, trustOf } from '../../../records/shapes.ts'
import { Link } from '../shapes.ts'
import { entity } from '../access.ts'
import { asWords } from '../entities/keys.ts'
import { entitiesOf, itemsOfEntity, linksAt } from '../entities/mentions.ts'
import { externalAmong, hitFactsOf } from '../hits.ts'
import { searchableKinds } from '../search.ts'
import { itemsAmong } from '../facts/sources.ts'
import { byScore } from '../../../kernel/text/order.ts'

const relations = [
  'linked',
  'same_thread',
  'same_people',
  'same_entity',
  'similar_text',
  'derived_from',
] as const

const RelatedItem = shape('RelatedItem', {
  item: ItemRef,
  relation: z.enum(relations),
  score: z.number(),
  why: z.string(),
  trust,
  links: z
    .array(
      Link.pick({ id: true, kind: true, note: true }).extend({
        direction: z.enum(['from', 'to']).describe('from: read from the given item to this one'),
      }),
    )
    .optional()
    .describe('made with link_items; unlink_items takes their ids'),
})

type ExplicitLink = NonNullable<z.infer<typeof RelatedItem>['links']>[number]

/** An item related to another. */
interface Relation {
  id: string
  item: AnyItem
  relation: (typeof relations)[number]
  score: number
  why: string
  links?: ExplicitLink[]
}

/** Base score of each relation; items with the same relation are ranked below it. */
const baseScores = {
  linked: 1,
  derived_from: 0.95,
  same_thread: 0.9,
  same_entity: 0.75,
  same_people: 0.7,
  similar_text: 0.6,
} as const

/** Relation names of links that come from the items' own tables. */
const tableLinkRelations: Readonly<
  Record<string, { relation: (typeof relations)[number]; why: string }>
> = {
  parent: { relation: 'linked', why: 'One is a part of the other.' },
  depends: { relation: 'linked', why: 'One is blocked by the other.' },
  link: { relation: 'linked', why: 'One links to the other.' },
  decision: { relation: 'linked', why: 'It was decided in this meeting.' },
  postmortem: { relation: 'linked', why: 'It is the postmortem of the incident.' },
  company: { relation: 'linked', why: 'They belong to the same company.' },
  deal: { relation: 'linked', why: 'It belongs to the deal.' },
  action: { relation: 'derived_from', why: 'The task came out of the meeting.' },
  source: { relation: 'derived_from', why: 'One was made from the other.' },
  reply: { relation: 'same_thread', why: 'It is in the same thread.' },
}

/** Maximum entities used for finding related items. */
const maxEntities = 5

export const findRelatedItems = operation({
  name: 'find_related_items',
  searchHint: 'similar, related, context, background, more like this',
  kind: 'read',
  weight: 10,
  rest: 'GET /api/related-items',
  about:
    'Items of any kind linked to or like a given item or text, e.g. the emails and meetings behind a task',
  on: { item: anyItem.see.maybe },
  input: {
    text: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .describe('instead of an item: text to find similar items'),
    types: z
      .array(z.string().min(1).max(50))
      .min(1)
      .max(50)
      .optional()
      .describe('item types, as in references'),
    relations: z
      .array(z.enum(relations))
      .min(1)
      .max(relations.length)
      .optional()
      .describe('only these, e.g. ["linked"]: what is linked to the item'),
    ...paging,
  },
  output: pageOf(RelatedItem),
  async handle({ item, text, types, relations: relationFilter, limit, cursor }, ctx) {
    if ((item === undefined) === (text === undefined))
      throw invalid(
        item ? 'text' : 'item_id',
        item ? 'item_id and text cannot be combined.' : 'send an item or a text.',
        'Send exactly one of item_id and text.',
      )
    checkTypes(types)
    const relationsById = new Map<string, Relation>()
    const isWanted = (relation: Relation['relation']) =>
      !relationFilter || relationFilter.includes(relation)
    const addIfRelevant = (relation: Relation) => {
      if (
        relation.id === item?.row.id ||
        (types && !types.includes(relation.item.resource.definition.type)) ||
        !isWanted(relation.relation)
      )
        return
      const existing = relationsById.get(relation.id)
      if (!existing || existing.score < relation.score) relationsById.set(relation.id, relation)
    }
    if (item)
      for (const relation of [
        ...(await relationsByLinks(ctx, item)),
        ...(await relationsBySharedEntity(ctx, item)),
      ])
        addIfRelevant(relation)
    if (isWanted('similar_text') || isWanted('same_people')) {
      const searchText = text ?? (await leadingText(ctx, item!.row.id))
      for (const relation of await similarItems(ctx, item, searchText, types))
        addIfRelevant(relation)
    }
    const page = pageOfHits([...relationsById.values()].sort(byScore), { limit, cursor })
    const external = await externalAmong(ctx, [
      ...(item ? [item] : []),
      ...page.items.map((relation) => relation.item),
    ])
    const isFromOutside = item !== undefined && external.has(item.row.id) // `why` quotes its words
    return pageWithItems(
      page,
      page.items.map(({ id, item: { resource, row }, relation, score, why, links }) =>
        omitNullish({
          item: resource.ref(row, ctx.baseUrl),
          relation,
          score,
          why,
          ...trustOf(isFromOutside || external.has(id)),
          links,
        }),
      ),
    )
  },
})

function checkTypes(types: readonly string[] | undefined): void {
  const typeNames = itemResources().map((itemResource) => itemResource.definition.type)
  const unknownType = types?.find((name) => !typeNames.includes(name))
  if (unknownType !== undefined)
    throw invalid('types', `unknown kind ${unknownType}.`, `Available: ${typeNames.join(', ')}.`)
}

/** By explicit links, and by the items' own tables; invisible data is omitted. */
async function relationsByLinks(ctx: ReadContext, item: AnyItem): Promise<Relation[]> {
  const { id } = item.row
  const links = await linksFrom(ctx, [id])
  const roots = links.filter((link) => link.kind === 'reply').map((link) => link.to)
  const thread = (await linksFrom(ctx, [...(await itemsAmong(ctx, roots)).keys()])).filter(
    (link) => link.kind === 'reply',
  )
  const linkRows = await linksAt(ctx, [id])
  const visibleItems = await itemsAmong(ctx, [
    ...[...links, ...thread].map((link) => link.to),
    ...linkRows.flatMap((row) => [row.from_id, row.to_id]),
  ])
  const otherEnd = (row: (typeof linkRows)[number]) =>
    row.from_id === id ? row.to_id : row.from_id
  const byLink = [...Map.groupBy(linkRows, otherEnd)].flatMap(([other, rows]) => {
    const descriptions = rows.map(
      ({ kind, note }) => `${asWords(kind)}${note === null ? '' : ` (${note})`}`,
    )
    const links = rows.map(
      (row): ExplicitLink =>
        omitNullish({
          id: row.id,
          kind: row.kind,
          note: row.note,
          direction: row.from_id === id ? 'from' : 'to',
        }),
    )
    return relationTo(
      visibleItems,
      other,
      'linked',
      `It is linked: ${descriptions.join(', ')}.`,
    ).map((relation) => ({
      ...relation,
      links,
    }))
  })
  const tableRelations = [...links, ...thread].flatMap((link) => {
    const definition = tableLinkRelations[link.kind]
    return definition ? relationTo(visibleItems, link.to, definition.relation, definition.why) : []
  })
  return [...byLink, ...tableRelations]
}

function relationTo(
  seen: ReadonlyMap<string, AnyItem>,
  id: string,
  relation: Relation['relation'],
  why: string,
  share = 1,
): Relation[] {
  const item = seen.get(id)
  return item
    ? [{ id, item, relation, score: Math.round(baseScores[relation] * share * 1e6) / 1e6, why }]
    : []
}

async function relationsBySharedEntity(ctx: ReadContext, item: AnyItem): Promise<Relation[]> {
  const entityRefs =
    item.resource.definition.type === 'entity'
      ? [{ id: item.row.id, title: '' }]
      : ((await entitiesOf(ctx, [item.row.id])).get(item.row.id) ?? [])
  const sharedRelations: Relation[] = []
  for (const [id, row] of await entity.among(
    ctx,
    entityRefs.slice(0, maxEntities).map((entry) => entry.id as Id<'entities'>),
  )) {
    const items = await itemsOfEntity(ctx, row)
    const seen = await itemsAmong(ctx, [id, ...items])
    for (const other of [id, ...items])
      sharedRelations.push(
        ...relationTo(seen, other, 'same_entity', `It is also related to ${row.name}.`),
      )
  }
  return sharedRelations
}

/** By words and meaning; marks those involving the same people. */
async function similarItems(
  ctx: ReadContext,
  item: AnyItem | undefined,
  text: string,
  types: readonly string[] | undefined,
): Promise<Relation[]> {
  const kinds = searchableKinds(ctx, types)
  const query = parseQuery(text.replaceAll('"', ' '))
  if (kinds.length === 0 || query.stems.size === 0) return []
  const results = await searchItems(
    ctx,
    omitNullish({
      query,
      mode: 'hybrid',
      kinds,
      withLinks: false,
      withSnippets: false,
      except: item ? item.row.id : undefined,
    }),
  )
  const similarHits = results.hits.filter(isSimilar)
  const people = item ? await itemPeopleNames(ctx, item) : new Set<string>()
  const facts =
    people.size > 0 ? await hitFactsOf(ctx, similarHits) : new Map<string, { people: string[] }>()
  return similarHits.map((hit) => {
    const shared = (facts.get(hit.id)?.people ?? []).filter((person) => people.has(person))
    const relation = shared.length > 0 ? 'same_people' : 'similar_text'
    const why = `${similarityReason(hit)}${shared.length > 0 ? ` ${shared.slice(0, 3).join(', ')} relates to both.` : ''}`
    return {
      id: hit.id,
      item: { resource: hit.searchable.resource, row: hit.row },
      relation,
      score: Math.round(baseScores[relation] * hit.score * 1e6) / 1e6,
      why,
    }
  })
}

function similarityReason({ terms, foundBy }: ItemHit): string {
  const words =
    terms.length > 0 && foundBy.includes('keyword') ? `has ${terms.slice(0, 6).join(', ')}` : ''
  const meaning = foundBy.includes('vector') ? 'is similar in meaning' : ''
  return `It ${[words, meaning].filter((name) => name !== '').join(', ')}.`
}

/** Names of an item's people, except the caller, who is involved in most visible items. */
async function itemPeopleNames(ctx: ReadContext, item: AnyItem): Promise<Set<string>> {
  const itemSearchable = ctx.catalogue.modules
    .flatMap((module) => module.searchables ?? [])
    .find((searchable) => searchable.kind === item.resource.definition.type)
  const facts = await itemSearchable?.facts?.(ctx, [item.row])
  return new Set(
    (facts?.get(item.row.id)?.people ?? []).filter((person) => person !== ctx.actor.display_name),
  )
}
