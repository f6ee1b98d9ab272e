import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import { paging, pageOf } from '../../../kernel/fields.ts'
import { pageOfHits } from '../../../operations/search/hits.ts'
import { operation } from '../../../operations/operation.ts'
import { pageWithItems } from '../../../records/paging.ts'
import { incident } from '../access.ts'
import { similarIncidents } from './similarity.ts'
import { ListedIncident, presentIncidents } from '../shapes.ts'

const IncidentHit = shape('IncidentHit', {
  incident: ListedIncident,
  score: z.number().describe('0 to 1'),
  reasons: z.array(
    z.strictObject({ kind: z.enum(['meaning', 'service', 'cause', 'label']), detail: z.string() }),
  ),
  resolution: z.string().optional(),
})

export const findSimilarIncidents = operation({
  name: 'find_similar_incidents',
  searchHint: 'happened before, same outage earlier, known problem, recurring problem',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/incidents/{incident_id}/similar',
  about: 'Past incidents similar by meaning, service and cause, with how each was resolved',
  on: { incident: incident.see },
  input: { ...paging },
  output: pageOf(IncidentHit),
  async handle({ incident: row, limit, cursor }, ctx) {
    const page = pageOfHits(await similarIncidents(ctx, row), { limit, cursor })
    const rows = await incident.among(
      ctx,
      page.items.map((item) => item.id),
    )
    const shapes = new Map(
      (await presentIncidents(ctx, [...rows.values()])).map((incidentShape) => [
        incidentShape.id,
        incidentShape,
      ]),
    )
    const items = page.items.flatMap(({ id, score, reasons }) => {
      const shape = shapes.get(id)
      if (!shape) return []
      const { summary_markdown: _, resolution, ...listed } = shape
      return [omitNullish({ incident: listed, score, reasons, resolution })]
    })
    return pageWithItems(page, items)
  },
})
