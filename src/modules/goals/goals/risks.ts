import type { Id } from '../../../kernel/ids.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { goalCheckin } from '../access.ts'
import { goalsDueForRiskCheck, isRiskReported, recordRisk } from './access-risks.ts'
import { goalProgress } from '../key-results/progress-inputs.ts'
import { isAtRisk } from './progress.ts'

const batchSize = 50
/** Checks are infrequent, as goal periods are long. */
const checkInterval = 3600_000

/** Ids of visible goals at risk. */
export async function goalIdsAtRisk(
  ctx: ReadContext,
  goals: readonly Row<'goals'>[],
  now: number,
): Promise<Set<Row<'goals'>['id']>> {
  if (goals.length === 0) return new Set()
  const progress = await goalProgress(ctx, goals)
  const ids = goals.map((goal) => goal.id)
  const last = goalCheckin
    .of(ctx, ids)
    .select((eb) => eb.fn.max('goal_checkins.id').as('id'))
    .groupBy('goal_checkins.goal_id')
  const lastCheckins = await goalCheckin
    .of(ctx, ids)
    .select(['goal_checkins.goal_id', 'goal_checkins.confidence'])
    .where('goal_checkins.id', 'in', last.$castTo<{ id: Id<'goal_checkins'> }>())
    .execute()
  const confidence = new Map(lastCheckins.map((item) => [item.goal_id as string, item.confidence]))
  return new Set(
    goals
      .filter((goal) =>
        isAtRisk(
          { ...goal, confidence: confidence.get(goal.id), measured: progress.get(goal.id) },
          now,
        ),
      )
      .map((goal) => goal.id),
  )
}

/** Notifies once when a goal becomes at risk; after it recovers, the next time is notified again. */
export async function checkRisk(ctx: WriteContext, goal: Row<'goals'>): Promise<void> {
  const isAtRiskNow = (await goalIdsAtRisk(ctx, [goal], ctx.now)).has(goal.id)
  if (isAtRiskNow && !(await isRiskReported(ctx, goal.id))) {
    ctx.event('goal.at_risk', 'goals', goal)
    ctx.notify('due', [goal.owner_id], 'goals', goal, 'This goal is at risk')
  }
  await recordRisk(ctx, [goal.id], isAtRiskNow ? 1 : 0, ctx.now + checkInterval)
}

/** Checks each active goal about once an hour, since elapsed time alone can put it at risk. */
export const watchGoals: Tick = {
  name: 'watch_goals',
  async run(system) {
    const goals = await goalsDueForRiskCheck(system, batchSize)
    for (const [owner, ownedGoals] of Map.groupBy(goals, (goal) => goal.owner_id))
      await checkRisksAs(system, owner, ownedGoals)
    return goals.length === batchSize
  },
}

async function checkRisksAs(
  system: TickContext,
  owner: string,
  goals: readonly Row<'goals'>[],
): Promise<void> {
  try {
    await system.as(owner, async (ctx) => {
      for (const goal of goals) await checkRisk(ctx, goal)
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // An organization without an eligible actor: its goals wait without delaying others.
    await recordRisk(
      system,
      goals.map((goal) => goal.id),
      goals[0]!.risk_told,
      system.now + checkInterval,
    )
  }
}
