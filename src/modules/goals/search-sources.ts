import { findable } from '../../search/findable.ts'
import { person } from '../directory/access.ts'
import { goal } from './access.ts'

/** Goals: personal ones lie under their owners. */
export const foundGoals = findable({
  kind: 'goal',
  source: 'goals',
  resource: goal,
  containers: async (ctx) => [
    ctx.actor.org_id,
    ...(
      await goal
        .seen(ctx)
        .where('goals.level', '=', 'personal')
        .select('goals.owner_id')
        .distinct()
        .execute()
    ).map((row) => row.owner_id),
  ],
  narrow: (_, goals, { project: of, person: who }) =>
    of ? undefined : who ? goals.where('goals.owner_id', '=', who.id) : goals,
  async facts(ctx, rows) {
    const people = await person.among(
      ctx,
      rows.map((row) => row.owner_id),
    )
    return new Map(
      rows.map((row) => [
        row.id,
        {
          people: [people.get(row.owner_id)?.display_name ?? []].flat(),
          trust: 'internal' as const,
        },
      ]),
    )
  },
})
