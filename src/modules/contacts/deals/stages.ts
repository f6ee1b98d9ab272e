import type { ReadContext } from '../../../operations/context.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { organization } from '../../directory/access.ts'

/** The stages of the organization's deals, in order. */
export async function stagesOf(ctx: ReadContext): Promise<string[]> {
  const { deal_stages_json } = await organization
    .visibleTo(ctx)
    .select('orgs.deal_stages_json')
    .executeTakeFirstOrThrow()
  return JSON.parse(deal_stages_json) as string[]
}

/** The organization's stage with this name, in any case. @throws Refusal invalid_argument if there is none */
export function resolveStage(stages: readonly string[], text: string, field = 'stage'): string {
  const wanted = text.trim().toLowerCase()
  const stage = stages.find((name) => name.toLowerCase() === wanted)
  if (stage !== undefined) return stage
  const hint = stageHint(stages, wanted)
  throw invalid(field, `${JSON.stringify(text)} is not a deal stage.`, hint)
}

function stageHint(stages: readonly string[], wanted: string): string {
  if (['won', 'lost'].includes(wanted)) return `To close the deal, send status ${wanted}.`
  return stages.length > 0
    ? `The stages are ${stages.join(', ')}.`
    : 'The organization has no stages.'
}

/**
 * Assumed probability that a deal in a stage is won: of n stages the first has 1/(n+1), the last n/(n+1). A stage
 * that the organization no longer has counts 0.
 */
export function weightOf(stages: readonly string[], stage: string): number {
  return (stages.indexOf(stage) + 1) / (stages.length + 1)
}
