import { datetime, markdown } from '../../../kernel/fields.ts'
import { anyItem } from '../../../records/items.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { entity, observation } from '../access.ts'
import { Observation, presentObservations } from '../shapes.ts'
import { sourceColumnsOf } from './sources.ts'

export const addObservation = operation({
  name: 'add_observation',
  searchHint: 'jot down about, remark about a person or product',
  kind: 'write',
  rest: 'POST /api/entities/{entity_id}/observations',
  about: 'Attach a free-text note to an entity with its source',
  on: { entity: entity.edit, source: anyItem.see.maybe.named('source_item_id') },
  input: {
    body: markdown()
      .min(1)
      .max(10_000)
      .describe('visible to everyone in the organization; the source only to those who can see it'),
    observed_at: datetime().optional().describe('default: now'),
  },
  output: Observation,
  async handle({ entity, source, body, observed_at }, ctx) {
    if (body.trim() === '') throw invalid('body', 'must not be blank.')
    const at =
      observed_at === undefined
        ? ctx.now
        : parseInstant(observed_at, ctx.actor.timezone, 'start', 'observed_at')
    const row = await ctx.add('observations', {
      entity_id: entity.id,
      body,
      observed_at: at,
      ...sourceColumnsOf(source),
    })
    return (await presentObservations(ctx, [row]))[0]!
  },
})

export const deleteObservation = operation({
  name: 'delete_observation',
  searchHint: 'remove a remark',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/observations/{observation_id}',
  about: 'Delete a note about an entity',
  on: { observation: observation.own },
  output: DeletedRef,
  async handle({ observation: row }, ctx) {
    await ctx.remove('observations', row)
    return deletedRef(ctx, observation.ref(row, ctx.baseUrl), [], { erased: true })
  },
})
