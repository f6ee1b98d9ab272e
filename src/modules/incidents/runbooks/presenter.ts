import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetimeString } from '../../../kernel/fields.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { page } from '../../pages/access.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { common, commonOf, Ref } from '../../../records/shapes.ts'
import { service } from '../access.ts'
import { lastUses, runbook, runbookService, runbookSteps } from './access.ts'
import { serviceRef, severityEnum } from '../shapes.ts'
import type { Severity } from '../incidents/states.ts'

export const Runbook = shape('Runbook', {
  ...common,
  name: z.string(),
  steps: z.array(
    z.strictObject({ title: z.string(), body_markdown: z.string(), minutes: z.int().optional() }),
  ),
  services: z.array(Ref),
  severities: z.array(severityEnum).describe('it applies to; none: any'),
  page: Ref.optional().describe('only if you can read it'),
  last_used_at: datetimeString().optional().describe('in an incident you can see'),
  match_reason: z.string().optional(),
})

export type RunbookShape = z.infer<typeof Runbook>

export function severitiesOf(row: Pick<Row<'runbooks'>, 'severities_json'>): Severity[] {
  return JSON.parse(row.severities_json) as Severity[]
}

/** Runbooks for answers, with the reasons for matching. The rows are already visible. */
export async function presentRunbooks(
  ctx: ReadContext,
  rows: readonly Row<'runbooks'>[],
  reasons: ReadonlyMap<string, string> = new Map(),
): Promise<RunbookShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const serviceLinks = await runbookService
    .of(ctx, ids)
    .selectAll('runbook_services')
    .orderBy('runbook_services.added_at')
    .orderBy('runbook_services.service_id')
    .execute()
  const services = await service.among(
    ctx,
    serviceLinks.map((item) => item.service_id),
  )
  const pages = await page.among(
    ctx,
    rows.flatMap((row) => row.page_id ?? []),
  )
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const uses = await lastUses(ctx, ids)
  return rows.map((row) => {
    const pageRow = pages.get(row.page_id ?? '')
    const lastUse = uses.get(row.id)
    const reason = reasons.get(row.id)
    return omitNullish({
      ...commonOf(row, runbook.url(row, ctx.baseUrl), people),
      name: row.name,
      steps: runbookSteps(row),
      services: serviceLinks
        .filter((item) => item.runbook_id === row.id)
        .flatMap((item) => services.get(item.service_id) ?? [])
        .map(serviceRef),
      severities: severitiesOf(row),
      page: pageRow
        ? { id: pageRow.id, title: pageRow.title, url: page.url(pageRow, ctx.baseUrl) }
        : undefined,
      last_used_at: lastUse === undefined ? undefined : iso(lastUse),
      match_reason: reason,
    })
  })
}
