import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { pageOf, paging } from '../../../kernel/fields.ts'
import type { Id } from '../../../kernel/ids.ts'
import { operation } from '../../../operations/operation.ts'
import {
  badCursor,
  cut,
  decodeCursor,
  encodeCursor,
  pageWithItems,
  type Value,
} from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { stemsOf } from '../../../search/text.ts'
import { entity, fact } from '../access.ts'
import {
  multiValuedAt,
  factsWithRewrittenSource,
  itemTextsOf,
  usageOf,
  type MultiValuedPredicate,
} from './access.ts'
import { isSingleValuedPredicate, isTrueAt, isUsedAsSingle } from './validity.ts'
import { factValue } from './facts.ts'
import { looseKey } from '../entities/keys.ts'
import { Fact, presentFacts } from '../shapes.ts'
import { itemsAmong } from './sources.ts'

type FactRow = Row<'facts'>

const FactConflict = shape('FactConflict', {
  facts: z.array(Fact),
  kind: z.enum(['contradiction', 'stale', 'duplicate']),
  newest: z.string().describe('id of the fact that was learned last'),
  suggestion: z.enum(['invalidate_older', 'ask', 'merge']),
})

interface Conflict {
  rows: FactRow[]
  kind: z.infer<typeof FactConflict>['kind']
  suggestion: z.infer<typeof FactConflict>['suggestion']
  /** Its position in the list: first duplicates, then facts no longer in their source. */
  place: Value[]
}

/** Maximum predicates with several values, and facts with rewritten sources, checked per page. */
const maxPredicates = 1000
const maxStale = 500

export const listConflictingFacts = operation({
  name: 'list_conflicting_facts',
  searchHint: 'contradictions, inconsistent information, which is right',
  kind: 'read',
  weight: 3,
  rest: 'GET /api/facts/conflicts',
  about: 'Facts that contradict each other or the latest sources, for review',
  on: { entity: entity.see.maybe },
  input: { ...paging },
  output: pageOf(FactConflict),
  async handle({ entity, limit, cursor }, ctx) {
    const place = cursor === undefined ? undefined : readPlace(cursor)
    const valueConflictsOfPage =
      place?.[0] === 'stale'
        ? []
        : await valueConflicts(
            ctx,
            entity,
            place === undefined
              ? undefined
              : { entity_id: place[1] as Id<'entities'>, predicate: place[2]! },
            limit + 1,
          )
    const stale =
      valueConflictsOfPage.length > limit
        ? []
        : await staleFacts(ctx, entity, place?.[0] === 'stale' ? place[1] : undefined)
    const page = cut([...valueConflictsOfPage, ...stale].slice(0, limit + 1), limit, (last) =>
      encodeCursor(last.place),
    )
    const facts = new Map(
      (
        await presentFacts(
          ctx,
          page.items.flatMap((item) => item.rows),
        )
      ).map((factShape) => [factShape.id, factShape]),
    )
    return pageWithItems(
      page,
      page.items.map(({ rows, kind, suggestion }) => ({
        facts: rows.map((row) => facts.get(row.id)!),
        kind,
        newest: rows
          .map((row) => row.id as string)
          .sort()
          .at(-1)!,
        suggestion,
      })),
    )
  },
})

function readPlace(cursor: string): string[] {
  const place = decodeCursor(cursor)
  if (
    place.every((value) => typeof value === 'string') &&
    ((place[0] === 'doubled' && place.length === 3) || (place[0] === 'stale' && place.length === 2))
  )
    return place
  throw badCursor()
}

/**
 * Different values stated for the same time: contradictions if there is one value at a time, duplicates if the values
 * differ only in spelling.
 */
async function valueConflicts(
  ctx: ReadContext,
  entity: Row<'entities'> | undefined,
  after: MultiValuedPredicate | undefined,
  limit: number,
): Promise<Conflict[]> {
  const conflicts: Conflict[] = []
  for (const { entity_id, predicate } of await multiValuedAt(
    ctx,
    ctx.now,
    entity,
    after,
    maxPredicates,
  )) {
    const rows = (
      await fact
        .visibleTo(ctx)
        .where('facts.entity_id', '=', entity_id)
        .where('facts.predicate', '=', predicate)
        .selectAll('facts')
        .orderBy('facts.id')
        .limit(200)
        .execute()
    ).filter((row) => isTrueAt(row, ctx.now))
    const kind = await findConflict(ctx, rows)
    if (kind) conflicts.push({ ...kind, place: ['doubled', entity_id, predicate] })
    if (conflicts.length >= limit) break
  }
  return conflicts
}

async function findConflict(
  ctx: ReadContext,
  rows: readonly FactRow[],
): Promise<Omit<Conflict, 'place'> | undefined> {
  const [first] = rows
  if (!first) return undefined
  const spellings = [
    ...Map.groupBy(rows, (row) => row.value_entity_id ?? looseKey(row.value)).values(),
  ]
  if (spellings.length > 1) {
    const isSingleValued = isSingleValuedPredicate(first.predicate)
    if (
      isSingleValued ||
      isUsedAsSingle(await usageOf(ctx, first.predicate, first.entity_id, ctx.now))
    )
      return {
        rows: [...rows],
        kind: 'contradiction',
        suggestion: isSingleValued && rows.at(-1)!.confidence >= 0.5 ? 'invalidate_older' : 'ask',
      }
  }
  const duplicates = spellings.find(
    (facts) =>
      new Set(facts.map((row) => factValue(row))).size > 1 ||
      new Set(facts.map((row) => row.source_id)).size < facts.length,
  )
  return duplicates && { rows: duplicates, kind: 'duplicate', suggestion: 'merge' }
}

/** Facts whose visible source was rewritten and no longer contains their words. */
async function staleFacts(
  ctx: ReadContext,
  entity: Row<'entities'> | undefined,
  after: string | undefined,
): Promise<Conflict[]> {
  const outdatedFacts = await factsWithRewrittenSource(ctx, ctx.now, entity, maxStale)
  const items = await itemsAmong(
    ctx,
    outdatedFacts.map((item) => item.source_id),
  )
  const texts = await itemTextsOf(
    ctx,
    [...items.values()].map((item) => item.row.id),
  )
  const rows = await fact.among(
    ctx,
    outdatedFacts.flatMap((item) =>
      items.has(item.source_id) && (after === undefined || item.id < after) ? [item.id] : [],
    ),
  )
  return outdatedFacts.flatMap(({ id, source_id }) => {
    const [row, text] = [rows.get(id), texts.get(source_id)]
    if (!row || text === undefined) return []
    const sourceStems = new Set(stemsOf(text))
    return stemsOf(row.value).some((stem) => sourceStems.has(stem))
      ? []
      : [{ rows: [row], kind: 'stale' as const, suggestion: 'ask' as const, place: ['stale', id] }]
  })
}
