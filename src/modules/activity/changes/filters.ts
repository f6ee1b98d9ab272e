import { z } from 'zod'
import { datetime } from '../../../kernel/fields.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { filters, filtersWith, resolvedInput } from '../../../operations/filters.ts'
import { anyItem } from '../../../records/items.ts'
import type { Scoped } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { project } from '../../portfolio/access.ts'
import { type DrivingColumn, columnIs, hasEvent, seqSince } from './access-changes.ts'
import { itemIdOf } from './item-refs.ts'
import { knownTypes } from './item-types.ts'
import { vias, viasOf } from './verbs.ts'

const kindPattern = /^[a-z_]{2,40}(\.[a-z_]{2,40})?$/

/** Filters supported by an index of the change log. They receive the column that drives the query. */
export const rangeFilters = filtersWith<DrivingColumn>()('changes', {
  item: {
    input: resolvedInput(anyItem.anywhere.maybe, (item) => item && itemIdOf(item)),
    where: (log, id, drivenBy) => log.where(columnIs('item_id', id, drivenBy)),
  },
  person: {
    input: person.see.maybe,
    where: (log, id, drivenBy) => log.where(columnIs('actor_id', id, drivenBy)),
  },
  project: {
    input: project.see.maybe,
    where: (log, id, drivenBy) => log.where(columnIs('project_id', id, drivenBy)),
  },
  after: { input: firstSeq(), where: fromSeq },
  before: {
    input: resolvedInput(datetime().optional(), (value, ctx, field) =>
      seqSince(ctx, parseInstant(value, ctx.actor.timezone, 'end', field) + 1),
    ),
    where: (log, seq) => log.where('changes.seq', '<', seq),
  },
  since: { input: firstSeq(), where: fromSeq },
})

/** Filters of the changes in a batch. */
export const changeFilters = filters('changes', {
  kind: {
    input: z
      .array(z.string().max(81).regex(kindPattern, 'must be an item type, an event or a verb'))
      .max(20)
      .optional()
      .describe('item types (task), events (task.completed) or verbs (completed)'),
    where: (log, kinds) =>
      log.where((eb) => eb.or([eb('changes.item_type', 'in', kinds), ...kinds.map(hasEvent)])),
  },
  via: {
    input: resolvedInput(z.enum(vias).optional().describe('how it was made'), viasOf),
    where: (log, vias) => log.where('changes.via', 'in', vias),
  },
  types: {
    input: resolvedInput(
      z.array(z.string().max(40)).max(40).optional().describe('item types, such as task'),
      knownTypes,
    ),
    where: (log, types) => log.where('changes.item_type', 'in', types),
  },
})

function firstSeq() {
  return resolvedInput(
    datetime().optional(),
    async (value, ctx, field) =>
      (await seqSince(ctx, parseInstant(value, ctx.actor.timezone, 'start', field))) ??
      Number.MAX_SAFE_INTEGER,
  )
}

function fromSeq(log: Scoped<'changes'>, seq: number): Scoped<'changes'> {
  return log.where('changes.seq', '>=', seq)
}
