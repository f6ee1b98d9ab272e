import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { datetime, pageOf, paging, shortText } from '../../../kernel/fields.ts'
import { itemsWithWords, pageOfHits, matchedTexts } from '../../../operations/search/hits.ts'
import { anyItem } from '../../../records/items.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { entity, fact } from '../access.ts'
import { trueAt, usageOf } from './access.ts'
import { readType } from '../entities/entities.ts'
import { isSingleValuedPredicate, isTrueAt, isUsedAsSingle, resolveValidity } from './validity.ts'
import { nameKey } from '../entities/keys.ts'
import { Fact, presentFacts } from '../shapes.ts'
import { sourceColumnsOf } from './sources.ts'
import { byScore } from '../../../kernel/text/order.ts'

type FactRow = Row<'facts'>

export const listFacts = operation({
  name: 'list_facts',
  searchHint: 'what is known, known truths, as of a date',
  kind: 'read',
  weight: 2,
  rest: 'GET /api/facts',
  about: 'Facts about an entity or matching words, true now, at a moment or over time',
  on: { entity: entity.see.maybe },
  input: {
    query: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('words in them or in the entity name, best first; default: newest first'),
    predicate: z.string().min(1).max(100).optional().describe('such as works_at'),
    as_of: datetime().optional().describe('true at that time, as known today; default: now'),
    include_invalid: z
      .boolean()
      .default(false)
      .describe('also replaced, ended and never true facts'),
    ...paging,
  },
  output: pageOf(Fact),
  async handle({ entity, query, predicate, as_of, include_invalid, limit, cursor }, ctx) {
    const at =
      as_of === undefined ? ctx.now : parseInstant(as_of, ctx.actor.timezone, 'end', 'as_of')
    const narrow = (rows: Scoped<'facts'>) => {
      let facts = entity ? rows.where('facts.entity_id', '=', entity.id) : rows
      if (predicate !== undefined)
        facts = facts.where('facts.predicate', '=', readType(predicate, 'predicate'))
      return include_invalid ? facts : trueAt(facts, at)
    }
    if (query === undefined) {
      const page = await paged(
        narrow(fact.visibleTo(ctx)).selectAll('facts'),
        [{ by: 'facts.id', as: 'id', dir: 'desc' }],
        { limit, cursor },
      )
      return pageWithItems(page, await presentFacts(ctx, page.items, at))
    }
    const scores = await factRanksOf(ctx, query, entity)
    const rows =
      scores.size === 0
        ? []
        : await narrow(fact.visibleTo(ctx))
            .where('facts.id', 'in', [...scores.keys()] as FactRow['id'][])
            .selectAll('facts')
            .execute()
    const hits = rows.map((row) => ({ id: row.id, score: scores.get(row.id)!, row })).sort(byScore)
    const page = pageOfHits(hits, { limit, cursor })
    return pageWithItems(
      page,
      await presentFacts(
        ctx,
        page.items.map((item) => item.row),
        at,
      ),
    )
  },
})

/** Maximum number of facts that match through the name of their entity: the newest. */
const maxPerEntity = 200
/** A fact found only by its entity ranks lower than one with the words. */
const entityMatchWeight = 0.5

/** Facts with query words, and those of entities with them in name or description, ranked. */
async function factRanksOf(
  ctx: ReadContext,
  query: string,
  entityRow: Row<'entities'> | undefined,
): Promise<Map<string, number>> {
  const matches = await itemsWithWords(ctx, query, {
    resource: entity,
    containers: [ctx.actor.org_id],
    narrow: entityRow ? (rows) => rows.where('entities.id', '=', entityRow.id) : undefined,
  })
  const docs = await matchedTexts(
    ctx,
    matches.flatMap((itemMatch) => itemMatch.texts),
  )
  const texts = matches
    .flatMap((itemMatch) => itemMatch.texts)
    .flatMap((textMatch) =>
      [docs.get(textMatch.rowid_)].flatMap((doc) =>
        doc ? [{ ref: doc.ref, score: textMatch.score }] : [],
      ),
    )
  const scores = new Map(
    texts.filter((text) => text.ref.startsWith('fct_')).map((text) => [text.ref, text.score]),
  )
  const entityScores = new Map(
    texts
      .filter((text) => text.ref.startsWith('ent_'))
      .slice(0, maxPerEntity)
      .map((text) => [text.ref, text.score * entityMatchWeight]),
  )
  const factsOfEntities =
    entityScores.size === 0
      ? []
      : await fact
          .visibleTo(ctx)
          .where('facts.entity_id', 'in', [...entityScores.keys()] as Row<'entities'>['id'][])
          .select(['facts.id', 'facts.entity_id'])
          .orderBy('facts.id', 'desc')
          .limit(maxPerEntity)
          .execute()
  for (const { id, entity_id } of factsOfEntities)
    if (!scores.has(id)) scores.set(id, entityScores.get(entity_id)!)
  return scores
}

export const confidence = () => z.number().min(0).max(1)

export const addFact = operation({
  name: 'add_fact',
  searchHint: 'remember that, note that something changed, is now, learn',
  kind: 'write',
  rest: 'POST /api/facts',
  about:
    'Record a dated statement about an entity with its source; supersedes the older value of a single-valued predicate',
  on: {
    entity: entity.edit,
    value_entity: entity.see.maybe.describe('the entity that the value names'),
    source: anyItem.see.maybe.named('source_item_id'),
  },
  input: {
    predicate: z
      .string()
      .min(1)
      .max(100)
      .describe('property: role, status, renewal_date, uses …; lowercased'),
    value: z
      .string()
      .min(1)
      .max(2000)
      .regex(/\S/, 'must not be blank')
      .describe('visible to everyone in the organization; the source only to those who can see it'),
    valid_from: datetime().optional().describe('when it became true; default: now'),
    confidence: confidence()
      .default(1)
      .describe('below 0.5 it does not replace a more certain value'),
  },
  output: Fact.extend({
    existing: z
      .boolean()
      .optional()
      .describe('true: this fact was already recorded; nothing changed'),
    superseded: z.array(z.string()).describe('ids of facts it ended'),
    conflicts_with: z
      .array(z.string())
      .describe('ids of facts with another value at the same time'),
  }),
  async handle(
    {
      entity,
      value_entity,
      source,
      predicate: predicateInput,
      value,
      valid_from,
      confidence: confidenceInput,
    },
    ctx,
  ) {
    const predicate = readType(predicateInput, 'predicate')
    const from =
      valid_from === undefined
        ? ctx.now
        : parseInstant(valid_from, ctx.actor.timezone, 'start', 'valid_from')
    const before = await statementsOf(ctx, entity, predicate)
    const key = value_entity?.id ?? nameKey(value)
    const same = before.find(
      (item) =>
        factValue(item) === key &&
        item.source_id === (source?.row.id ?? null) &&
        wasEverTrue(item) &&
        (valid_from === undefined ? isTrueAt(item, ctx.now) : item.valid_from === from),
    )
    if (same)
      return {
        ...(await presentFacts(ctx, [same]))[0]!,
        existing: true,
        superseded: [],
        conflicts_with: [],
      }
    const row = await ctx.add('facts', {
      entity_id: entity.id,
      predicate,
      value: value.trim(),
      value_key: nameKey(value),
      value_entity_id: value_entity?.id ?? null,
      valid_from: from,
      status: 'valid',
      confidence: confidenceInput,
      ...sourceColumnsOf(source),
    })
    const after = await updateValidities(ctx, entity, predicate)
    const superseded = before
      .filter(
        (item) => item.superseded_by !== row.id && after.get(item.id)!.superseded_by === row.id,
      )
      .map((item) => item.id as string)
    const conflicts = await conflictsWith(ctx, after.get(row.id)!, [...after.values()])
    ctx.event('fact.added', 'entities', entity)
    if (conflicts.length > 0) ctx.event('fact.conflict_found', 'entities', entity)
    return {
      ...(await presentFacts(ctx, [after.get(row.id)!]))[0]!,
      superseded,
      conflicts_with: conflicts,
    }
  },
})

/** Whether the statement was true at some time: one that never was ends at its start. */
function wasEverTrue({ valid_from, said_to }: FactRow): boolean {
  return said_to === null || said_to > valid_from
}

export function factValue(row: Pick<FactRow, 'value_key' | 'value_entity_id'>): string {
  return row.value_entity_id ?? row.value_key
}

/** All statements ever made for a predicate of an entity. */
async function statementsOf(
  ctx: WriteContext,
  entity: Row<'entities'>,
  predicate: string,
): Promise<FactRow[]> {
  return fact
    .of(ctx, [entity.id])
    .where('facts.predicate', '=', predicate)
    .selectAll('facts')
    .execute()
}

/** Writes the consequences of all statements for a predicate of an entity; returns its facts afterwards. */
export async function updateValidities(
  ctx: WriteContext,
  entityRow: Row<'entities'>,
  predicate: string,
): Promise<Map<string, FactRow>> {
  const rows = await statementsOf(ctx, entityRow, predicate)
  const validities = resolveValidity(
    rows.map((row) => ({
      id: row.id,
      value: factValue(row),
      valid_from: row.valid_from,
      said_to: row.said_to,
      confidence: row.confidence,
    })),
    isSingleValuedPredicate(predicate),
  )
  const after = new Map<string, FactRow>()
  for (const row of rows) {
    const { valid_to, status, superseded_by } = validities.get(row.id)!
    const isUnchanged = row.status === status && row.valid_to === valid_to
    const since = isUnchanged ? row.superseded_at : ctx.now
    const superseded_at = status === 'valid' ? null : since
    after.set(
      row.id,
      await ctx.change('facts', row, { valid_to, status, superseded_by, superseded_at }),
    )
  }
  return after
}

/** Other values while a fact is true, if its predicate has a single value, or is used so. */
async function conflictsWith(
  ctx: WriteContext,
  row: FactRow,
  chain: readonly FactRow[],
): Promise<string[]> {
  const others = chain
    .filter((item) => factValue(item) !== factValue(row) && overlap(item, row))
    .map((item) => item.id as string)
  if (others.length === 0 || isSingleValuedPredicate(row.predicate)) return others
  return isUsedAsSingle(await usageOf(ctx, row.predicate, row.entity_id, ctx.now)) ? others : []
}

function overlap(row: FactRow, other: FactRow): boolean {
  const begin = Math.max(row.valid_from, other.valid_from)
  return isTrueAt(row, begin) && isTrueAt(other, begin)
}

export const invalidateFact = operation({
  name: 'invalidate_fact',
  searchHint: 'no longer true, wrong, outdated, out of date',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/facts/{fact_id}/invalidate',
  about: 'Mark a fact as no longer true or never true, keeping history',
  on: { fact: fact.edit },
  input: {
    valid_to: datetime().optional().describe('when it stopped being true; default: now'),
    never_true: z
      .boolean()
      .default(false)
      .describe('it was wrong; facts it replaced are true again'),
    reason: shortText(1000).optional(),
  },
  output: Fact,
  async handle({ fact: row, valid_to, never_true, reason }, ctx) {
    if (never_true && valid_to !== undefined)
      throw invalid('valid_to', 'a fact that was never true has no end date.', 'Omit one of them.')
    const ended =
      valid_to === undefined
        ? (row.said_to ?? Math.max(ctx.now, row.valid_from + 1))
        : parseInstant(valid_to, ctx.actor.timezone, 'start', 'valid_to')
    const said_to = never_true ? row.valid_from : ended
    if (!never_true && said_to <= row.valid_from)
      throw invalid(
        'valid_to',
        'must be after the fact became true.',
        'If it was never true, send never_true.',
      )
    const changed = await ctx.change(
      'facts',
      row,
      omitUndefined({
        said_to,
        reason,
      }),
    )
    if (changed === row) return (await presentFacts(ctx, [row]))[0]!
    const entityRow = (await entity.among(ctx, [row.entity_id])).get(row.entity_id)!
    const after = await updateValidities(ctx, entityRow, row.predicate)
    if (said_to !== row.said_to) ctx.event('fact.invalidated', 'entities', entityRow)
    return (await presentFacts(ctx, [after.get(row.id)!]))[0]!
  },
})
