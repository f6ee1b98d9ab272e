import { shape } from '../../kernel/shape.ts'
import { z } from 'zod'
import { common, commonOf, ItemRef, Ref } from '../../records/shapes.ts'
import { day, datetimeString } from '../../kernel/fields.ts'
import type { ReadContext } from '../../operations/context.ts'
import { dayAt, iso } from '../../kernel/time/times.ts'
import type { Row } from '../../records/resource.ts'
import { onCallSchedule } from '../incidents/access.ts'
import { task } from '../tasks/access.ts'
import { organization, person, team, teamMember, timeOff } from '../directory/access.ts'
import { peopleRefs, personRef, workingHours } from '../directory/shapes.ts'
import { dueWhileAway, shiftsWhileAway } from './schedule/duties.ts'

export const User = shape('User', {
  ...common,
  display_name: z.string(),
  email: z.string(),
  title: z.string().nullable(),
  role: z.enum(['admin', 'member', 'guest']),
  status: z.enum(['active', 'invited', 'deactivated']),
  timezone: z.string(),
  manager: Ref.nullable(),
  teams: z.array(Ref),
  presence: z.strictObject({
    text: z.string().optional(),
    emoji: z.string().optional(),
    availability: z.enum(['available', 'busy', 'away', 'do_not_disturb']),
    until: datetimeString().optional(),
  }),
  working_hours: workingHours,
  avatar_url: z.string().nullable(),
})

export const Team = shape('Team', {
  ...common,
  name: z.string(),
  description: z.string().optional(),
  lead: Ref.optional(),
  members: z.array(z.strictObject({ person: Ref, role: z.enum(['lead', 'member']) })),
})

export const Organization = shape('Organization', {
  ...common,
  name: z.string(),
  default_timezone: z.string(),
  work_week: z.array(z.int().min(1).max(7)).describe('ISO weekdays, 1 = Monday'),
  holidays: z.array(z.strictObject({ date: day(), name: z.string() })),
  severity_scale: z.array(z.record(z.string(), z.unknown())),
  deal_stages: z.array(z.string()),
  modules: z.array(z.string()),
  trash_days: z.int(),
  plan_limits: z.record(z.string(), z.unknown()).describe('empty: unlimited'),
})

export const timeOffKinds = z.enum(['vacation', 'sick', 'public_holiday', 'other'])

export const TimeOff = shape('TimeOff', {
  ...common,
  person: Ref,
  starts_on: day(),
  ends_on: day().describe('last day away'),
  kind: timeOffKinds.describe('others see sick as other'),
  note: z.string().optional().describe('visible only to the person'),
  status: z.enum(['planned', 'past']),
  conflicts: z
    .array(
      z.strictObject({
        kind: z.enum(['task_due', 'on_call']),
        item: ItemRef,
        at: datetimeString(),
        shifts: z.int().optional(),
      }),
    )
    .describe(
      'task_due: open tasks of the person due during this time and visible to you; on_call: schedules with shifts during this time, with their number and the start of the first',
    ),
})

/** People for answers, with teams and managers fetched in bulk. */
export async function presentPeople(
  ctx: ReadContext,
  rows: readonly Row<'users'>[],
): Promise<z.infer<typeof User>[]> {
  const managers = await peopleRefs(
    ctx,
    rows.map((row) => row.manager_id),
  )
  const teams = await teamsOf(ctx, rows)
  return rows.map((row) => ({
    ...commonOf(row, person.url(row, ctx.baseUrl), managers),
    display_name: row.display_name,
    email: row.email,
    title: row.title,
    role: row.role,
    status: row.status,
    timezone: row.timezone,
    manager: (row.manager_id && managers.get(row.manager_id)) || null,
    teams: teams.get(row.id) ?? [],
    presence: presenceOf(row, ctx.now),
    working_hours: JSON.parse(row.working_hours_json) as z.infer<typeof workingHours>,
    avatar_url: row.avatar_file_id ? `${ctx.baseUrl}/files/${row.avatar_file_id}` : null,
  }))
}

/** An expired presence reads as available. */
function presenceOf(row: Row<'users'>, now: number): z.infer<typeof User>['presence'] {
  if (row.presence_until_at !== null && row.presence_until_at <= now)
    return { availability: 'available' }
  return {
    availability: row.availability,
    ...(row.presence_text === null ? {} : { text: row.presence_text }),
    ...(row.presence_emoji === null ? {} : { emoji: row.presence_emoji }),
    ...(row.presence_until_at === null ? {} : { until: iso(row.presence_until_at) }),
  }
}

async function teamsOf(
  ctx: ReadContext,
  rows: readonly Row<'users'>[],
): Promise<Map<string, Ref[]>> {
  if (rows.length === 0) return new Map()
  const memberships = await teamMember
    .of(
      ctx,
      rows.map((row) => row.id),
      'person_id',
    )
    .select(['team_members.person_id', 'team_members.team_id'])
    .execute()
  const teams = await team.among(
    ctx,
    memberships.map((membership) => membership.team_id),
  )
  const teamsByPerson = new Map<string, Ref[]>()
  for (const membership of memberships) {
    const row = teams.get(membership.team_id)
    if (row)
      teamsByPerson.set(membership.person_id, [
        ...(teamsByPerson.get(membership.person_id) ?? []),
        { id: row.id, title: row.name },
      ])
  }
  return teamsByPerson
}

/** Teams for answers, the lead first among the members. */
export async function presentTeams(
  ctx: ReadContext,
  rows: readonly Row<'teams'>[],
): Promise<z.infer<typeof Team>[]> {
  if (rows.length === 0) return []
  const members = await teamMember
    .of(
      ctx,
      rows.map((row) => row.id),
    )
    .selectAll('team_members')
    .orderBy('team_members.role')
    .orderBy('team_members.person_id')
    .execute()
  const people = await peopleRefs(ctx, [
    ...rows.map((row) => row.created_by),
    ...members.map((member) => member.person_id),
  ])
  return rows.map((row) => {
    const memberships = members
      .filter((member) => member.team_id === row.id)
      .map((member) => ({ person: people.get(member.person_id)!, role: member.role }))
    const lead = memberships.find((item) => item.role === 'lead')?.person
    return {
      ...commonOf(row, team.url(row, ctx.baseUrl), people),
      name: row.name,
      ...(row.description === null ? {} : { description: row.description }),
      ...(lead ? { lead } : {}),
      members: memberships,
    }
  })
}

export function presentOrganization(
  ctx: ReadContext,
  row: Row<'orgs'>,
): z.infer<typeof Organization> {
  type Shape = z.infer<typeof Organization>
  return {
    ...commonOf(row, organization.url(row, ctx.baseUrl), new Map()),
    name: row.name,
    default_timezone: row.default_timezone,
    work_week: JSON.parse(row.work_week_json) as Shape['work_week'],
    holidays: JSON.parse(row.holidays_json) as Shape['holidays'],
    severity_scale: JSON.parse(row.severity_scale_json) as Shape['severity_scale'],
    deal_stages: JSON.parse(row.deal_stages_json) as Shape['deal_stages'],
    modules: [...ctx.catalogue.toolsets],
    trash_days: row.trash_days,
    plan_limits: {},
  }
}

/** Absences as visible to the caller: sickness and notes are only for the person. */
export async function presentTimeOff(
  ctx: ReadContext,
  rows: readonly Row<'time_off'>[],
): Promise<z.infer<typeof TimeOff>[]> {
  const people = await person.among(
    ctx,
    rows.flatMap((row) => [row.person_id, row.created_by]),
  )
  const refs = new Map([...people].map(([id, row]) => [id, personRef(row)]))
  const zones = new Map([...people].map(([id, row]) => [id, row.timezone]))
  const dueTasks = await dueWhileAway(ctx, rows, zones)
  const shifts = await shiftsWhileAway(ctx, rows, zones)
  return rows.map((row) => {
    const isOwn = row.person_id === ctx.actor.id
    return {
      ...commonOf(row, timeOff.url(row, ctx.baseUrl), refs),
      person: refs.get(row.person_id)!,
      starts_on: row.starts_on,
      ends_on: row.ends_on,
      kind: row.kind === 'sick' && !isOwn ? 'other' : row.kind,
      ...(isOwn && row.note !== null ? { note: row.note } : {}),
      status: row.ends_on < dayAt(ctx.now, zones.get(row.person_id)!) ? 'past' : 'planned',
      conflicts: [
        ...dueTasks.get(row.id)!.map((due) => ({
          kind: 'task_due' as const,
          item: task.ref(due.task, ctx.baseUrl),
          at: iso(due.due_at),
        })),
        ...[...Map.groupBy(shifts.get(row.id) ?? [], (duty) => duty.schedule)].map(
          ([schedule, shiftsOfSchedule]) => ({
            kind: 'on_call' as const,
            item: onCallSchedule.ref(schedule, ctx.baseUrl),
            at: iso(shiftsOfSchedule[0]!.from),
            shifts: shiftsOfSchedule.length,
          }),
        ),
      ],
    }
  })
}
