import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { Ref } from '../../../records/shapes.ts'
import { entity, entityName, entityRedirect, fact, observation, relation } from '../access.ts'
import { addNames } from './entities.ts'
import { updateValidities, factValue } from '../facts/facts.ts'
import { entityRef } from '../shapes.ts'
import { Entity, presentCurrent } from './presenter.ts'

type EntityRow = Row<'entities'>

const maxDuplicates = 20
/** Maximum number of rows that one merge moves: it is a single write job. */
const maxMoved = 5000

const Merged = Entity.extend({
  merged: z.array(Ref).describe('their ids now resolve to this entity'),
  moved: z
    .strictObject({ facts: z.int(), relations: z.int(), observations: z.int() })
    .describe('moved from the duplicates'),
  joined: z
    .strictObject({ facts: z.int(), relations: z.int() })
    .describe('that existed twice and were combined'),
  dry_run: z.boolean(),
})

export const mergeEntities = operation({
  name: 'merge_entities',
  searchHint: 'same thing twice, combine topics',
  kind: 'destructive',
  rest: 'POST /api/entities/{entity_id}/merge',
  about: 'Merge duplicate entities, keeping their names as aliases, with a preview',
  on: { entity: entity.own.describe('the one to keep'), duplicates: entity.own.many },
  dryRun: true,
  atomicUndo: true,
  output: Merged,
  async handle({ entity, duplicates }, ctx) {
    requireMergeable(entity, duplicates)
    const statements = await statementsOf(ctx, duplicates)
    for (const row of duplicates) await ctx.trash('entities', row) // first, so that undoing it comes last, when nothing leads to the kept one any more
    const facts = await moveFacts(ctx, entity, duplicates, statements)
    const relations = await moveRelations(ctx, entity, duplicates, statements)
    for (const row of statements.observations)
      await ctx.change('observations', row, { entity_id: entity.id })
    await moveNames(ctx, entity, duplicates)
    await moveItem(ctx, entity, duplicates)
    await redirect(ctx, entity, duplicates)
    ctx.event('entity.merged', 'entities', entity)
    return {
      ...(await presentCurrent(ctx, entity.id)),
      merged: duplicates.map(entityRef),
      moved: {
        facts: facts.moved,
        relations: relations.moved,
        observations: statements.observations.length,
      },
      joined: { facts: facts.joined, relations: relations.joined },
      dry_run: ctx.dryRun,
    }
  },
})

function requireMergeable(survivor: EntityRow, duplicates: readonly EntityRow[]): void {
  if (duplicates.length === 0) throw invalid('duplicate_ids', 'send at least one entity.')
  if (duplicates.length > maxDuplicates)
    throw invalid(
      'duplicate_ids',
      `has ${duplicates.length} entities; the maximum is ${maxDuplicates}.`,
    )
  if (duplicates.some((duplicate) => duplicate.id === survivor.id))
    throw invalid(
      'duplicate_ids',
      'the entity to keep is also listed as a duplicate.',
      'It may already have been merged; if so, no action is needed.',
    )
}

function requireAtMost(rows: readonly unknown[], what: string): void {
  if (rows.length > maxMoved)
    throw invalid(
      'duplicate_ids',
      `they have more than ${maxMoved} ${what === 'valued' ? 'facts that name them' : what}.`,
      'Keep the one with the most, and merge the others into it.',
    )
}

/** Everything that references the duplicates. */
interface EntityStatements {
  facts: Row<'facts'>[]
  /** Others' facts with one of them as value. */
  valued: Row<'facts'>[]
  relations: Row<'relations'>[]
  observations: Row<'observations'>[]
}

async function statementsOf(
  ctx: WriteContext,
  duplicates: readonly EntityRow[],
): Promise<EntityStatements> {
  const ids = duplicates.map((duplicate) => duplicate.id)
  const statements = {
    facts: await fact
      .of(ctx, ids)
      .selectAll('facts')
      .orderBy('facts.id')
      .limit(maxMoved + 1)
      .execute(),
    valued: await fact
      .visibleTo(ctx)
      .where('facts.value_entity_id', 'in', ids)
      .where('facts.entity_id', 'not in', ids)
      .selectAll('facts')
      .limit(maxMoved + 1)
      .execute(),
    relations: await relation
      .visibleTo(ctx)
      .where((eb) => eb.or([eb('relations.from_id', 'in', ids), eb('relations.to_id', 'in', ids)]))
      .selectAll('relations')
      .orderBy('relations.id')
      .limit(maxMoved + 1)
      .execute(),
    observations: await observation
      .of(ctx, ids)
      .selectAll('observations')
      .limit(maxMoved + 1)
      .execute(),
  }
  for (const [what, rows] of Object.entries(statements)) requireAtMost(rows, what)
  return statements
}

/**
 * Moves the statements about the duplicates to the surviving entity; if the same source stated something twice, the
 * earlier statement stays.
 */
async function moveFacts(
  ctx: WriteContext,
  survivor: EntityRow,
  duplicates: readonly EntityRow[],
  { facts, valued }: EntityStatements,
): Promise<{ moved: number; joined: number }> {
  const duplicateIds = new Set<string>(duplicates.map((duplicate) => duplicate.id))
  const changed: Row<'facts'>[] = []
  for (const row of [...facts, ...valued]) {
    changed.push(
      await ctx.change('facts', row, {
        entity_id: duplicateIds.has(row.entity_id) ? survivor.id : row.entity_id,
        value_entity_id:
          row.value_entity_id !== null && duplicateIds.has(row.value_entity_id)
            ? survivor.id
            : row.value_entity_id,
      }),
    )
  }
  const chains = new Map(changed.map((row) => [`${row.entity_id} ${row.predicate}`, row]))
  let joined = 0
  for (const { entity_id, predicate } of chains.values()) {
    joined += await joinFacts(ctx, entity_id, predicate)
    const factEntity =
      entity_id === survivor.id ? survivor : (await entity.among(ctx, [entity_id])).get(entity_id)
    if (factEntity) await updateValidities(ctx, factEntity, predicate)
  }
  return { moved: facts.length, joined }
}

async function joinFacts(
  ctx: WriteContext,
  entityId: EntityRow['id'],
  predicate: string,
): Promise<number> {
  const rows = await fact
    .of(ctx, [entityId])
    .where('facts.predicate', '=', predicate)
    .selectAll('facts')
    .orderBy('facts.id')
    .execute()
  const repeated = [
    ...Map.groupBy(rows, (row) =>
      [factValue(row), row.valid_from, row.said_to, row.source_id].join('\n'),
    ).values(),
  ].flatMap((group) => group.slice(1))
  for (const row of repeated) await ctx.remove('facts', row)
  return repeated.length
}

/** Moves the duplicates' relations to the kept entity; those only among them, and existing ones, are deleted. */
async function moveRelations(
  ctx: WriteContext,
  survivor: EntityRow,
  duplicates: readonly EntityRow[],
  { relations: rows }: EntityStatements,
): Promise<{ moved: number; joined: number }> {
  const moving = new Set<string>(duplicates.map((duplicate) => duplicate.id))
  let joined = 0
  for (const row of rows) {
    const from_id = moving.has(row.from_id) ? survivor.id : row.from_id
    const to_id = moving.has(row.to_id) ? survivor.id : row.to_id
    if (from_id === to_id || (await hasSameRelation(ctx, row, from_id, to_id))) {
      await ctx.remove('relations', row)
      joined++
    } else await ctx.change('relations', row, { from_id, to_id })
  }
  return { moved: rows.length - joined, joined }
}

async function hasSameRelation(
  ctx: WriteContext,
  row: Row<'relations'>,
  from: EntityRow['id'],
  to: EntityRow['id'],
): Promise<boolean> {
  const sameTriples = await relation
    .visibleTo(ctx)
    .where('relations.from_id', '=', from)
    .where('relations.to_id', '=', to)
    .where('relations.type', '=', row.type)
    .where('relations.id', '<>', row.id)
    .selectAll('relations')
    .execute()
  return sameTriples.some(
    (item) =>
      item.is_wrong === row.is_wrong &&
      item.valid_from === row.valid_from &&
      item.valid_to === row.valid_to &&
      item.source_id === row.source_id,
  )
}

async function moveNames(
  ctx: WriteContext,
  survivor: EntityRow,
  duplicates: readonly EntityRow[],
): Promise<void> {
  const others = await entityName
    .of(
      ctx,
      duplicates.map((duplicate) => duplicate.id),
    )
    .select('entity_names.name')
    .orderBy('entity_names.added_at')
    .execute()
  await addNames(ctx, survivor, [
    ...duplicates.map((duplicate) => duplicate.name),
    ...others.map((other) => other.name),
  ])
}

/** Transfers the item of the first duplicate that has one, if the surviving entity represents none. */
async function moveItem(
  ctx: WriteContext,
  targetEntity: EntityRow,
  duplicates: readonly EntityRow[],
): Promise<void> {
  const representing =
    targetEntity.item_id === null
      ? duplicates.find((duplicate) => duplicate.item_id !== null)
      : undefined
  if (representing)
    await ctx.change('entities', targetEntity, {
      item_type: representing.item_type,
      item_id: representing.item_id,
    })
}

/** Redirects the duplicates' ids, and earlier redirects to them, to the kept entity. */
async function redirect(
  ctx: WriteContext,
  survivor: EntityRow,
  duplicates: readonly EntityRow[],
): Promise<void> {
  const earlier = await entityRedirect
    .of(
      ctx,
      duplicates.map((duplicate) => duplicate.id),
    )
    .selectAll('entity_redirects')
    .execute()
  for (const item of earlier)
    await ctx.changePart('entity_redirects', item, { entity_id: survivor.id })
  for (const duplicate of duplicates)
    await ctx.add('entity_redirects', { old_id: duplicate.id, entity_id: survivor.id })
}
