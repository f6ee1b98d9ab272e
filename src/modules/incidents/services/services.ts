import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import { isAdmin } from '../../../kernel/actor.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { pageOf, paging, shortText, title } from '../../../kernel/fields.ts'
import { containsText } from '../../../db/text-conditions.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { denied, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { team } from '../../directory/access.ts'
import { service, serviceDependency } from '../access.ts'
import { onCallSchedule } from '../on-call/access.ts'
import { requireNoCycle } from './graph.ts'
import { Service, presentServices } from '../shapes.ts'

type ServiceRow = Row<'services'>

const publicField = () => z.boolean().describe('on the public status page')

const byName = [
  { by: 'services.name', as: 'name', dir: 'asc' },
  { by: 'services.id', as: 'id', dir: 'asc' },
] as const

export const listServices = operation({
  name: 'list_services',
  searchHint: 'components, what do we run, systems, which services are down',
  kind: 'read',
  rest: 'GET /api/services',
  about: 'Services by name, with owner team, on-call schedule, dependencies and current state',
  on: { team: team.see.maybe, schedule: onCallSchedule.see.maybe },
  input: {
    query: shortText(200).optional().describe('part of the name or description'),
    public: z.boolean().optional().describe('true: only those on the public status page'),
    ...paging,
  },
  output: pageOf(Service),
  async handle({ team, schedule, query, public: publicFilter, limit, cursor }, ctx) {
    let serviceQuery = service.visibleTo(ctx)
    if (team) serviceQuery = serviceQuery.where('services.team_id', '=', team.id)
    if (schedule) serviceQuery = serviceQuery.where('services.schedule_id', '=', schedule.id)
    if (publicFilter !== undefined)
      serviceQuery = serviceQuery.where('services.is_public', '=', publicFilter ? 1 : 0)
    const text = query?.trim()
    if (text)
      serviceQuery = serviceQuery.where(
        containsText(['services.name', 'services.description'], text),
      )
    const page = await paged(serviceQuery.selectAll('services'), byName, { limit, cursor })
    return pageWithItems(page, await presentServices(ctx, page.items))
  },
})

export const createService = operation({
  name: 'create_service',
  searchHint: 'new system, register a microservice, component',
  kind: 'write',
  rest: 'POST /api/services',
  about: 'Register a service with its owner team and on-call schedule',
  on: {
    team: team.see.maybe.describe('the owner; you must lead the team or be an administrator'),
    schedule: onCallSchedule.see.maybe.describe('who is paged for its incidents'),
    dependsOn: service.see.many.maybe.named('depends_on_ids').describe('services it depends on'),
  },
  input: {
    name: title(),
    description: shortText(5000).optional(),
    public: publicField().default(false),
  },
  output: Service,
  async handle({ team, schedule, dependsOn = [], name, description, public: open }, ctx) {
    if (ctx.actor.role === 'guest') throw denied('Guests cannot register services.')
    if (team) await requireTeamLead(ctx, team)
    if (open && !team && !isAdmin(ctx.actor))
      throw denied(
        'Only an administrator can show a service without a team on the public status page.',
        'Specify its team, if you lead it, or leave public out.',
      )
    await requireFreeName(ctx, name)
    const row = await ctx.add('services', {
      name: name.trim(),
      description: description?.trim() || null,
      team_id: team?.id ?? null,
      schedule_id: schedule?.id ?? null,
      is_public: open ? 1 : 0,
    })
    for (const dependency of dependsOn)
      await ctx.add('service_dependencies', { service_id: row.id, depends_on_id: dependency.id })
    return (await presentServices(ctx, [row]))[0]!
  },
})

export const updateService = operation({
  name: 'update_service',
  searchHint: 'system owner, component settings, hide from the status page',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/services/{service_id}',
  about: 'Change a service, its owner, dependencies or public visibility',
  on: {
    service: service.edit,
    team: team.see.clearable.describe(
      'the owner; only an administrator or the lead of both teams can change it',
    ),
    schedule: onCallSchedule.see.clearable.describe('null: no on-call schedule'),
    dependsOn: service.see.many.maybe.named('depends_on_ids').describe('all of them'),
  },
  input: {
    name: title().optional(),
    description: shortText(5000).nullable().optional(),
    public: publicField().optional(),
  },
  revision: 'service',
  output: Service,
  async handle({ service: row, team, schedule, dependsOn, name, description, public: open }, ctx) {
    if (team && team.id !== row.team_id) await requireTeamLead(ctx, team)
    if (open && row.is_public === 0 && row.team_id === null && !isAdmin(ctx.actor))
      throw denied(
        'Only an administrator can show a service without a team on the public status page.',
      )
    if (name !== undefined) await requireFreeName(ctx, name, row)
    const changed = await ctx.change(
      'services',
      row,
      omitUndefined({
        name: name === undefined ? undefined : name.trim(),
        description: description === undefined ? undefined : description?.trim() || null,
        team_id: team === undefined ? undefined : (team?.id ?? null),
        schedule_id: schedule === undefined ? undefined : (schedule?.id ?? null),
        ...(open === undefined ? {} : { is_public: open ? 1 : 0 }),
      }),
    )
    if (dependsOn) await setDependencies(ctx, row, dependsOn)
    return (await presentServices(ctx, [changed]))[0]!
  },
})

export const deleteService = operation({
  name: 'delete_service',
  searchHint: 'remove a service, retire a component',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/services/{service_id}',
  about: 'Move a service to the trash and off the status page; past incidents stay',
  on: { service: service.own },
  dryRun: true,
  output: DeletedRef,
  async handle({ service: row }, ctx) {
    await ctx.trash('services', row)
    return deletedRef(ctx, service.ref(row, ctx.baseUrl))
  },
})

async function requireTeamLead(ctx: ReadContext, teamRow: Row<'teams'>): Promise<void> {
  if (await team.find(ctx, teamRow.id, 'edit')) return
  throw denied(`Only the lead of ${teamRow.name} or an administrator can give it a service.`)
}

async function requireFreeName(
  ctx: ReadContext,
  name: string,
  ownService?: ServiceRow,
): Promise<void> {
  const other = await service.find(ctx, name.trim())
  if (other && other.id !== ownService?.id)
    throw new Refusal('conflict', `There is already a service called "${other.name}".`, {
      field: 'name',
      hint: 'Change that one with update_service, or choose another name.',
      context: { existing_id: other.id },
    })
}

async function setDependencies(
  ctx: WriteContext,
  row: ServiceRow,
  dependencies: readonly ServiceRow[],
): Promise<void> {
  const existing = await serviceDependency
    .of(ctx, [row.id])
    .selectAll('service_dependencies')
    .execute()
  const visibleServices = await service.among(
    ctx,
    existing.map((item) => item.depends_on_id),
  )
  for (const item of existing)
    if (
      visibleServices.has(item.depends_on_id) &&
      dependencies.every((other) => other.id !== item.depends_on_id)
    )
      await ctx.remove('service_dependencies', item)
  for (const other of dependencies) {
    if (existing.some((item) => item.depends_on_id === other.id)) continue
    await requireNoCycle(ctx, row, other)
    await ctx.add('service_dependencies', { service_id: row.id, depends_on_id: other.id })
  }
}
