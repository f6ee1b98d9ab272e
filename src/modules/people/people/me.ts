import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetimeString } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { dayAt, iso, localIso } from '../../../kernel/time/times.ts'
import { unreadCounts } from '../../chat/access.ts'
import { EmailAccount, threadsAwaitingMeCount } from '../../email/shapes.ts'
import { unreadCount } from '../../notifications/access.ts'
import { project } from '../../portfolio/access.ts'
import { organization, person } from '../../directory/access.ts'
import { connectedAccounts } from '../schedule/connections.ts'
import { countDue } from '../schedule/duties.ts'
import { workingHours } from '../../directory/shapes.ts'
import { presentPeople, User } from '../shapes.ts'
import { Ref } from '../../../records/shapes.ts'

const parts = ['teams', 'projects', 'accounts', 'counts'] as const

const Me = shape('Me', {
  person: User,
  organization: Ref,
  key: z
    .strictObject({
      id: z.string(),
      name: z.string(),
      prefix: z.string(),
      read_only: z.boolean(),
      expires_at: datetimeString().optional(),
    })
    .optional()
    .describe('omitted for a signed-in person'),
  timezone: z.string(),
  now: z.strictObject({ utc: datetimeString(), local: z.string(), weekday: z.string() }),
  working_hours: workingHours,
  teams: z.array(Ref).optional(),
  projects: z.array(Ref).optional().describe('the ones you belong to, without archived ones'),
  accounts: z
    .strictObject({
      mail: z.array(EmailAccount),
      calendars: z.int(),
      drives: z.int(),
    })
    .optional(),
  enabled_modules: z.array(z.string()),
  toolset: z.array(z.string()).describe('modules this key may use'),
  counts: z
    .strictObject({
      unread: z.int(),
      mentions: z.int(),
      due_today: z.int(),
      overdue: z.int(),
      awaiting_reply: z.int(),
    })
    .optional()
    .describe(
      'unread: messages in your channels and other notifications; mentions: those that mention you; due_today: your open tasks due later today; overdue: your overdue tasks; awaiting_reply: email threads awaiting your reply',
    ),
})

export const getMe = operation({
  name: 'get_me',
  searchHint: 'who am I, my account, my permissions, whoami, which tools may I use',
  kind: 'read',
  rest: 'GET /api/me',
  about:
    'Who this key acts as: person, organization, teams, timezone, connected accounts, enabled toolsets; call first',
  input: {
    include: z
      .array(z.enum(parts))
      .max(10)
      .optional()
      .describe('only these optional parts; default: all'),
  },
  output: Me,
  async handle({ include }, ctx) {
    const wants = (part: (typeof parts)[number]) => include === undefined || include.includes(part)
    const row = await person.editableBy(ctx).selectAll('users').executeTakeFirstOrThrow()
    const [shape] = await presentPeople(ctx, [row])
    const organizationRow = await organization
      .visibleTo(ctx)
      .select(['orgs.id', 'orgs.name'])
      .executeTakeFirstOrThrow()
    return {
      person: shape!,
      organization: { id: organizationRow.id, title: organizationRow.name },
      ...presentCallerKey(ctx),
      timezone: row.timezone,
      now: {
        utc: iso(ctx.now),
        local: localIso(ctx.now, row.timezone),
        weekday: weekdayName(ctx.now, row.timezone),
      },
      working_hours: shape!.working_hours,
      ...(wants('teams') ? { teams: shape!.teams } : {}),
      ...(wants('projects') ? { projects: await myProjects(ctx) } : {}),
      ...(wants('accounts') ? { accounts: await connectedAccounts(ctx) } : {}),
      enabled_modules: [...ctx.catalogue.toolsets],
      toolset: [...new Set(ctx.catalogue.openTo(ctx.actor.key).map((entry) => entry.module))],
      ...(wants('counts') ? { counts: await personalCounts(ctx, row.timezone) } : {}),
    }
  },
})

function presentCallerKey(ctx: ReadContext): Pick<z.infer<typeof Me>, 'key'> {
  const { key } = ctx.actor
  if (!key) return {}
  const { id, name, prefix, read_only, expires_at } = key
  return {
    key: {
      id,
      name,
      prefix,
      read_only,
      ...(expires_at === null ? {} : { expires_at: iso(expires_at) }),
    },
  }
}

async function myProjects(ctx: ReadContext): Promise<Ref[]> {
  const rows = await project
    .visibleTo(ctx)
    .select(['projects.id', 'projects.name', 'projects.key'])
    .where('projects.status', '<>', 'archived')
    .orderBy('projects.name')
    .orderBy('projects.id')
    .execute()
  return rows.map((row) => ({ id: row.id, title: row.name, key: row.key }))
}

/**
 * Counts unread items. Chat counts its own, and other notifications are counted separately, so nothing counts twice.
 * Mail is counted in conversations.
 */
async function personalCounts(ctx: ReadContext, zone: string) {
  const { overdue, due } = await countDue(ctx, ctx.actor.id, dayAt(ctx.now, zone), zone)
  const chat = await unreadCounts(ctx)
  const otherNotifications = await unreadCount(ctx, ['message'])
  return {
    unread: chat.unread + otherNotifications.unread,
    mentions: chat.mentions + otherNotifications.mentions,
    due_today: due,
    overdue,
    awaiting_reply: await threadsAwaitingMeCount(ctx),
  }
}

function weekdayName(at: number, zone: string): string {
  return new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: zone }).format(at)
}
