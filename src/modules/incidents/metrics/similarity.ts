import type { ReadContext } from '../../../operations/context.ts'
import { itemsWithWords } from '../../../operations/search/hits.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { contentStems } from '../../../search/query.ts'
import { stemSimilarity } from '../../../search/text.ts'
import { lowerCaseWords } from '../../../search/tokens.ts'
import { label } from '../../labels/access.ts'
import { task } from '../../tasks/access.ts'
import { incident, incidentService, servicesOf } from '../access.ts'
import { causeKey } from '../incidents/causes.ts'
import { containersOf } from '../incidents/filters.ts'
import { byScore } from '../../../kernel/text/order.ts'

type Incident = Row<'incidents'>

/** Weight of each kind of similarity; the sum is 1. */
const weights = { meaning: 0.5, cause: 0.25, service: 0.2, label: 0.05 } as const

interface Reason {
  kind: keyof typeof weights
  detail: string
}

export interface SimilarIncident {
  id: string
  score: number
  reasons: Reason[]
}

/** Maximum number of candidates examined per search method. */
const maxByWords = 200
const maxByService = 200
const maxQueryLength = 2000
/** Below this, two texts only share common words. */
const minMeaning = 0.15
const minCause = 0.5

/** Visible incidents similar to a visible one, most similar first. */
export async function similarIncidents(
  ctx: ReadContext,
  row: Incident,
): Promise<SimilarIncident[]> {
  const rows = [...(await incident.among(ctx, await candidates(ctx, row))).values()].filter(
    (item) => item.id !== row.id,
  )
  const ids = [row, ...rows].map((item) => item.id)
  const services = await servicesOf(ctx, ids)
  const labels = await labelsByIncident(ctx, ids)
  const stems = stemsOf(row)
  const similarities = rows.map((other) => {
    const sharedNames = (namesByIncident: Map<string, { id: string; name: string }[]>) =>
      (namesByIncident.get(row.id) ?? [])
        .filter((item) => namesByIncident.get(other.id)?.some((same) => same.id === item.id))
        .map((item) => item.name)
    const parts = [
      wordSimilarity(stems, other),
      causeSimilarity(row, other),
      sharedSimilarity('service', sharedNames(services), services, row, other),
      sharedSimilarity('label', sharedNames(labels), labels, row, other),
    ]
    const reasons = parts.filter((part) => part !== undefined)
    return {
      id: other.id as string,
      score:
        Math.round(
          reasons.reduce((sum, reason) => sum + weights[reason.kind] * reason.share, 0) * 10_000,
        ) / 10_000,
      reasons: reasons.map(({ kind, detail }) => ({ kind, detail })),
    }
  })
  return similarities.filter((item) => item.reasons.length > 0).sort(byScore)
}

async function candidates(ctx: ReadContext, row: Incident): Promise<string[]> {
  const words = lowerCaseWords(
    `${row.title} ${row.cause ?? ''} ${row.summary_markdown ?? ''}`.slice(0, maxQueryLength),
  ).join(' ')
  const byWords =
    words === ''
      ? []
      : await itemsWithWords(ctx, words, {
          resource: incident,
          containers: await containersOf(ctx),
        })
  const ownServices = await incidentService
    .of(ctx, [row.id])
    .select('incident_services.service_id')
    .execute()
  const byService = await incident
    .visibleTo(ctx)
    .innerJoin('incident_services as tie', 'tie.incident_id', 'incidents.id')
    .where(
      'tie.service_id',
      'in',
      ownServices.map((item) => item.service_id),
    )
    .select(['incidents.id', 'incidents.opened_at'])
    .distinct()
    .orderBy('incidents.opened_at', 'desc')
    .limit(maxByService)
    .execute()
  return [...byWords.slice(0, maxByWords).map((hit) => hit.id), ...byService.map((item) => item.id)]
}

interface SimilarityPart extends Reason {
  /** 0 to 1. */
  share: number
}

interface Stems {
  title: Set<string>
  all: Set<string>
}

function stemsOf({ title, summary_markdown }: Incident): Stems {
  return { title: contentStems(title), all: contentStems(`${title} ${summary_markdown ?? ''}`) }
}

function wordSimilarity(stems: Stems, other: Incident): SimilarityPart | undefined {
  const others = stemsOf(other)
  const share = Math.max(
    stemSimilarity(stems.title, others.title),
    stemSimilarity(stems.all, others.all),
  )
  if (share < minMeaning) return undefined
  const common = lowerCaseWords(`${other.title} ${other.summary_markdown ?? ''}`).filter(
    (word) => stems.all.intersection(contentStems(word)).size > 0,
  )
  return {
    kind: 'meaning',
    share,
    detail: `Same words: ${[...new Set(common)].slice(0, 8).join(', ')}`,
  }
}

function causeSimilarity({ cause }: Incident, other: Incident): SimilarityPart | undefined {
  if (cause === null || other.cause === null) return undefined
  const share =
    causeKey(cause) === causeKey(other.cause)
      ? 1
      : stemSimilarity(contentStems(cause), contentStems(other.cause))
  return share < minCause
    ? undefined
    : { kind: 'cause', share, detail: `Cause: ${other.cause.slice(0, 200).toWellFormed()}` }
}

function sharedSimilarity(
  kind: 'service' | 'label',
  names: readonly string[],
  allByIncident: Map<string, unknown[]>,
  row: Incident,
  other: Incident,
): SimilarityPart | undefined {
  if (names.length === 0) return undefined
  const all =
    (allByIncident.get(row.id)?.length ?? 0) +
    (allByIncident.get(other.id)?.length ?? 0) -
    names.length
  return {
    kind,
    share: names.length / all,
    detail: `${kind === 'service' ? 'Same services' : 'Follow-up tasks with the same labels'}: ${names.join(', ')}`,
  }
}

/** Incidents have no labels of their own: uses those of visible tasks created from them. */
async function labelsByIncident(
  ctx: ReadContext,
  ids: readonly Id<'incidents'>[],
): Promise<Map<string, { id: string; name: string }[]>> {
  const labelLinks = await task
    .visibleTo(ctx)
    .innerJoin('task_labels', 'task_labels.task_id', 'tasks.id')
    .select(['tasks.source_id', 'task_labels.label_id'])
    .where('tasks.source_id', 'in', ids as readonly string[])
    .distinct()
    .execute()
  const rows = await label.among(
    ctx,
    labelLinks.map((item) => item.label_id),
  )
  return new Map(
    [...Map.groupBy(labelLinks, (item) => item.source_id!)].map(([id, some]) => [
      id,
      some.flatMap((item) => rows.get(item.label_id) ?? []),
    ]),
  )
}
