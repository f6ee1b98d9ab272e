import { omitUndefined, omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import { markdown, pageOf, paging, shortText, title } from '../../../kernel/fields.ts'
import { pageOfHits } from '../../../operations/search/hits.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { denied } from '../../../kernel/refusal.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { page } from '../../pages/access.ts'
import { incident, service } from '../access.ts'
import { runbook, runbookService } from './access.ts'
import { matchesForIncident, runbooksWithWords } from './matches.ts'
import { Runbook, presentRunbooks } from './presenter.ts'
import { severityEnum } from '../shapes.ts'

const maxSteps = 50
const byName = [
  { by: 'runbooks.name', as: 'name', dir: 'asc' },
  { by: 'runbooks.id', as: 'id', dir: 'asc' },
] as const

export const listRunbooks = operation({
  name: 'list_runbooks',
  searchHint: 'playbooks, procedures, what to do when it fails, how to fix an outage',
  kind: 'read',
  rest: 'GET /api/runbooks',
  about: 'Runbooks by service, text or relevance to an incident',
  on: {
    service: service.see.maybe,
    incident: incident.see.maybe.describe('matching ones, best first, with the reason'),
  },
  input: { query: shortText(500).optional().describe('words in name or steps'), ...paging },
  output: pageOf(Runbook),
  async handle({ service, incident: incidentRow, query, limit, cursor }, ctx) {
    const narrow = (rows: Scoped<'runbooks'>) =>
      service
        ? rows.where(
            'runbooks.id',
            'in',
            runbookService
              .of(ctx, [service.id], 'service_id')
              .select('runbook_services.runbook_id'),
          )
        : rows
    if (!incidentRow && !query) {
      const runbookPage = await paged(
        narrow(runbook.visibleTo(ctx)).selectAll('runbooks'),
        byName,
        {
          limit,
          cursor,
        },
      )
      return pageWithItems(runbookPage, await presentRunbooks(ctx, runbookPage.items))
    }
    const wordMatches = query
      ? (await runbooksWithWords(ctx, query, narrow)).map((match) => ({
          id: match.id,
          score: match.score,
          reason: 'matches the query',
        }))
      : undefined
    const incidentMatches = incidentRow
      ? await matchesForIncident(ctx, incidentRow, narrow)
      : undefined
    const matches =
      incidentMatches && wordMatches
        ? incidentMatches.filter((match) => wordMatches.some((other) => other.id === match.id))
        : (incidentMatches ?? wordMatches!)
    const hits = pageOfHits(matches, { limit, cursor })
    const rows = await runbook.among(
      ctx,
      hits.items.map((item) => item.id),
    )
    const reasons = new Map(hits.items.map((item) => [item.id, item.reason]))
    return pageWithItems(
      hits,
      await presentRunbooks(
        ctx,
        hits.items.flatMap((item): Row<'runbooks'>[] =>
          rows.has(item.id) ? [rows.get(item.id)!] : [],
        ),
        reasons,
      ),
    )
  },
})

const Step = z.strictObject({
  title: title(),
  body_markdown: markdown().max(20_000).default(''),
  minutes: z.int().min(1).max(10_000).optional().describe('expected duration'),
})

export const createRunbook = operation({
  name: 'create_runbook',
  searchHint: 'playbook, emergency procedure, SOP, steps in an outage',
  kind: 'write',
  rest: 'POST /api/runbooks',
  about: 'Save ordered response steps for a service or situation',
  on: { services: service.see.many.maybe, page: page.see.maybe.describe('with more details') },
  input: {
    name: title(),
    steps: z.array(Step).min(1).max(maxSteps).describe('in order'),
    severity: z.array(severityEnum).max(4).default([]).describe('it applies to; default: any'),
  },
  output: Runbook,
  async handle({ services = [], page: pageRow, name, steps, severity }, ctx) {
    if (ctx.actor.role === 'guest') throw denied('Guests cannot write runbooks.')
    const row = await ctx.add('runbooks', {
      name: name.trim(),
      steps_json: stepsJson(steps),
      severities_json: severitiesJson(severity),
      page_id: pageRow?.id ?? null,
    })
    for (const item of services)
      await ctx.add('runbook_services', { runbook_id: row.id, service_id: item.id })
    return (await presentRunbooks(ctx, [row]))[0]!
  },
})

export const updateRunbook = operation({
  name: 'update_runbook',
  searchHint: 'edit a playbook, change the procedure',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/runbooks/{runbook_id}',
  about: 'Change the name, steps, services, severities or page of a runbook',
  on: {
    runbook: runbook.edit,
    services: service.see.many.maybe.describe('the complete list'),
    page: page.see.clearable,
  },
  input: {
    name: title().optional(),
    steps: z
      .array(Step)
      .min(1)
      .max(maxSteps)
      .optional()
      .describe('the complete list; tasks of started runs do not change'),
    severity: z.array(severityEnum).max(4).optional().describe('the complete list; empty: any'),
  },
  revision: 'runbook',
  output: Runbook,
  async handle({ runbook: row, services, page: more, name, steps, severity }, ctx) {
    const changed = await ctx.change(
      'runbooks',
      row,
      omitUndefined({
        name: name === undefined ? undefined : name.trim(),
        steps_json: steps === undefined ? undefined : stepsJson(steps),
        severities_json: severity === undefined ? undefined : severitiesJson(severity),
        page_id: more === undefined ? undefined : (more?.id ?? null),
      }),
    )
    if (services) await setServices(ctx, row, services)
    const current = (await runbook.among(ctx, [row.id])).get(row.id) ?? changed
    return (await presentRunbooks(ctx, [current]))[0]!
  },
})

export const deleteRunbook = operation({
  name: 'delete_runbook',
  searchHint: 'remove a playbook, old procedure',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/runbooks/{runbook_id}',
  about: 'Move a runbook to the trash; tasks of incidents that used it stay',
  on: { runbook: runbook.own },
  dryRun: true,
  output: DeletedRef,
  async handle({ runbook: row }, ctx) {
    await ctx.trash('runbooks', row)
    return deletedRef(ctx, runbook.ref(row, ctx.baseUrl))
  },
})

function stepsJson(steps: readonly z.infer<typeof Step>[]): string {
  return JSON.stringify(
    steps.map(({ title: step, body_markdown, minutes }) =>
      omitNullish({
        title: step.trim(),
        body_markdown,
        minutes,
      }),
    ),
  )
}

function severitiesJson(severity: readonly z.infer<typeof severityEnum>[]): string {
  return JSON.stringify([...new Set(severity)].sort())
}

/** Links to services in the trash stay, so that restoring a service restores them. */
async function setServices(
  ctx: WriteContext,
  row: Row<'runbooks'>,
  newServices: readonly Row<'services'>[],
): Promise<void> {
  const serviceLinks = await runbookService
    .of(ctx, [row.id])
    .selectAll('runbook_services')
    .execute()
  const visibleServices = await service.among(
    ctx,
    serviceLinks.map((tie) => tie.service_id),
  )
  const wantedIds = new Set<string>(newServices.map((entry) => entry.id))
  for (const tie of serviceLinks) {
    const isRemoved = visibleServices.has(tie.service_id) && !wantedIds.has(tie.service_id)
    if (isRemoved) await ctx.remove('runbook_services', tie)
  }
  for (const { id } of newServices) {
    if (serviceLinks.some((tie) => tie.service_id === id)) continue
    await ctx.add('runbook_services', { runbook_id: row.id, service_id: id })
  }
}
