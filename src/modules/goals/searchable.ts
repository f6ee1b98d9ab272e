import { hitFacts } from '../../operations/search/hit-facts.ts'
import { byPerson, searchable } from '../../operations/search/searchable.ts'
import { prepared } from '../../records/prepared.ts'
import { person } from '../directory/access.ts'
import { goal } from './access.ts'

const ownersOfPersonalGoals = prepared((from) =>
  goal.visibleTo(from).where('goals.level', '=', 'personal').select('goals.owner_id').distinct(),
)

/** Goals: personal ones are contained in their owners. */
export const searchableGoals = searchable({
  kind: 'goal',
  source: 'goals',
  resource: goal,
  containers: async (ctx) => [
    ctx.actor.org_id,
    ...(await ownersOfPersonalGoals(ctx, {})).map((row) => row.owner_id),
  ],
  narrow: byPerson('goals.owner_id'),
  facts: (ctx, rows) =>
    hitFacts(
      ctx,
      { person },
      rows.map((row) => ({ id: row.id, people: [row.owner_id] })),
    ),
})
