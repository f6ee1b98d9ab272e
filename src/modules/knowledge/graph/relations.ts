import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, shortText } from '../../../kernel/fields.ts'
import { anyItem } from '../../../records/items.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { entity, relation } from '../access.ts'
import { readType } from '../entities/entities.ts'
import { confidence } from '../facts/facts.ts'
import { Relation, relationState, presentRelations } from '../shapes.ts'
import { sourceColumnsOf } from '../facts/sources.ts'

export const createRelation = operation({
  name: 'create_relation',
  searchHint: 'works for, belongs to, connect two things, is part of',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/relations',
  creates: 'item',
  about: 'Record a typed, dated link between two entities, with its source',
  on: {
    from: entity.edit.named('from_entity_id'),
    to: entity.see.named('to_entity_id'),
    source: anyItem.see.maybe.named('source_item_id'),
  },
  input: {
    type: z
      .string()
      .min(1)
      .max(60)
      .describe('read from the first to the second: works_at, depends_on, owns …; lowercased'),
    valid_from: datetime().optional().describe('when it began; default: unknown'),
    confidence: confidence().optional().describe('default: 1'),
    note: shortText(2000).optional(),
  },
  output: Relation.extend({
    existing: z
      .boolean()
      .optional()
      .describe('true: it already existed; the fields sent were updated'),
  }),
  async handle(
    { from, to, source, type: typeInput, valid_from, confidence: confidenceInput, note },
    ctx,
  ) {
    if (from.id === to.id) throw invalid('to_entity_id', 'an entity cannot be related to itself.')
    const type = readType(typeInput, 'type')
    const validFrom =
      valid_from === undefined
        ? undefined
        : parseInstant(valid_from, ctx.actor.timezone, 'start', 'valid_from')
    const existing = await currentRelation(ctx, from, type, to)
    if (existing) {
      const changed = await ctx.change(
        'relations',
        existing,
        omitUndefined({
          valid_from: validFrom,
          confidence: confidenceInput,
          note,
          ...(source ? sourceColumnsOf(source) : {}),
        }),
      )
      return { ...(await presentRelations(ctx, [changed]))[0]!, existing: true }
    }
    const row = await ctx.add('relations', {
      from_id: from.id,
      type,
      to_id: to.id,
      valid_from: validFrom ?? null,
      is_wrong: 0,
      confidence: confidenceInput ?? 1,
      note: note ?? null,
      ...sourceColumnsOf(source),
    })
    return (await presentRelations(ctx, [row]))[0]!
  },
})

/** The current relation of a type between two entities. */
async function currentRelation(
  ctx: ReadContext,
  from: Row<'entities'>,
  type: string,
  to: Row<'entities'>,
): Promise<Row<'relations'> | undefined> {
  const rows = await relation
    .visibleTo(ctx)
    .where('relations.from_id', '=', from.id)
    .where('relations.to_id', '=', to.id)
    .where('relations.type', '=', type)
    .selectAll('relations')
    .orderBy('relations.id')
    .execute()
  return rows.find((row) => relationState(row, ctx.now) === 'current')
}

export const deleteRelation = operation({
  name: 'delete_relation',
  searchHint: 'no longer works there, disconnect',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/relations/{relation_id}',
  about: 'End a relation from now, or remove it as wrong',
  on: { relation: relation.own },
  input: {
    as_wrong: z.boolean().default(false).describe('it never held'),
    valid_to: datetime().optional().describe('when it ended; default: now'),
  },
  output: Relation,
  async handle({ relation: row, as_wrong, valid_to }, ctx) {
    if (as_wrong && valid_to !== undefined)
      throw invalid('valid_to', 'a relation that never held has no end date.', 'Omit one of them.')
    const end =
      valid_to === undefined
        ? (row.valid_to ?? ctx.now)
        : parseInstant(valid_to, ctx.actor.timezone, 'start', 'valid_to')
    if (!as_wrong && valid_to !== undefined && row.valid_from !== null && end < row.valid_from)
      throw invalid('valid_to', 'must be after it began.', 'If it never held, send as_wrong.')
    const changed = await ctx.change(
      'relations',
      row,
      as_wrong ? { is_wrong: 1 } : { is_wrong: 0, valid_to: end },
    )
    return (await presentRelations(ctx, [changed]))[0]!
  },
})
