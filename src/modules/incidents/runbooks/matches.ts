import type { ReadContext } from '../../../operations/context.ts'
import { itemsWithWords, type ItemMatch } from '../../../operations/search/hits.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { servicesOf } from '../access.ts'
import { runbook, runbookService } from './access.ts'
import { severitiesOf } from './presenter.ts'
import { byScore } from '../../../kernel/text/order.ts'

/** A matching runbook, with reasons. */
export interface Match {
  id: string
  score: number
  reason: string
}

const maxTextLength = 1000
/** Weight of a shared service relative to similar words and a matching severity. */
const weights = { service: 3, words: 2, severity: 1 }

/** Runbooks with query words in their name or steps, best first. @throws Refusal if the query has no word */
export function runbooksWithWords(
  ctx: ReadContext,
  query: string,
  narrow?: (rows: Scoped<'runbooks'>) => Scoped<'runbooks'>,
): Promise<ItemMatch[]> {
  return itemsWithWords(ctx, query, { resource: runbook, containers: [ctx.actor.org_id], narrow })
}

/** Runbooks matching a visible incident: by services, severity, or words of its title and summary. Best first. */
export async function matchesForIncident(
  ctx: ReadContext,
  incident: Row<'incidents'>,
  narrow: (rows: Scoped<'runbooks'>) => Scoped<'runbooks'>,
): Promise<Match[]> {
  const services = new Map<string, string>(
    ((await servicesOf(ctx, [incident.id])).get(incident.id) ?? []).map((row) => [
      row.id,
      row.name,
    ]),
  )
  const words = new Map(
    (await wordMatchesOf(ctx, incident, narrow)).map((match) => [match.id, match.score]),
  )
  const rows = await narrow(runbook.visibleTo(ctx))
    .select(['runbooks.id', 'runbooks.severities_json'])
    .execute()
  const serviceLinks = await runbookService
    .of(
      ctx,
      rows.map((row) => row.id),
    )
    .selectAll('runbook_services')
    .execute()
  const matches = rows.flatMap((row): Match[] => {
    const shared = serviceLinks
      .filter((item) => item.runbook_id === row.id)
      .flatMap((item) => services.get(item.service_id) ?? [])
    const severityMatches = severitiesOf(row).includes(incident.severity)
    const wordScore = words.get(row.id) ?? 0
    const points =
      (shared.length > 0 ? weights.service : 0) +
      (severityMatches ? weights.severity : 0) +
      weights.words * wordScore
    if (points === 0) return []
    const reasons = [
      ...(shared.length > 0 ? [`for ${shared.join(', ')}`] : []),
      ...(severityMatches ? [`for ${incident.severity}`] : []),
      ...(wordScore > 0 ? ['words similar to the incident'] : []),
    ]
    return [
      {
        id: row.id,
        score:
          Math.round((points / (weights.service + weights.severity + weights.words)) * 10_000) /
          10_000,
        reason: reasons.join('; '),
      },
    ]
  })
  return matches.sort(byScore)
}

async function wordMatchesOf(
  ctx: ReadContext,
  { title, summary_markdown }: Row<'incidents'>,
  narrow: (rows: Scoped<'runbooks'>) => Scoped<'runbooks'>,
): Promise<ItemMatch[]> {
  try {
    return await runbooksWithWords(
      ctx,
      `${title} ${summary_markdown ?? ''}`.slice(0, maxTextLength),
      narrow,
    )
  } catch (error) {
    if (error instanceof Refusal && error.more.field === 'query') return [] // an incident without a word in it
    throw error
  }
}
