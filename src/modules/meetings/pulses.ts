import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../core/context.ts'
import { paging, pageOf, timezone as timezoneField, title } from '../../core/fields.ts'
import { operation } from '../../core/operation.ts'
import { paged, shown } from '../../core/paging.ts'
import { denied, invalid, Refusal } from '../../core/refusal.ts'
import { nextOccurrence, readRule, wallTime, withMonthEnds, type Repeat } from '../../core/repeats.ts'
import type { Row } from '../../core/resource.ts'
import { addDays, dayAt } from '../../core/times.ts'
import { channel } from '../chat/access.ts'
import { organization, team } from '../people/access.ts'
import { activeMembers, pulse, type PulseRow } from './access-pulses.ts'
import { fewest } from './pulse-answers.ts'
import { givenQuestion, questionsFrom } from './pulse-questions.ts'
import { ruleOf } from './pulse-rules.ts'
import { openRoundOf, Pulse, showPulses } from './pulse-shapes.ts'

/** The hour at which rounds open whose rule names none. */
const opensAt = 9

export const listPulses = operation({
  name: 'list_pulses',
  kind: 'read',
  rest: 'GET /api/pulses',
  about: 'Repeating pulse check-ins of own teams with schedule, questions and answer rate',
  on: { team: team.see.maybe },
  input: { active: z.boolean().optional().describe('false: those that are paused or over'), ...paging },
  output: pageOf(Pulse),
  async handle({ team: of, active, limit, cursor }, ctx) {
    let found = pulse.seen(ctx).selectAll('pulses')
    if (of) found = found.where('pulses.team_id', '=', of.id)
    if (active !== undefined) found = found.where('pulses.active', '=', active ? 1 : 0)
    const page = await paged(found, [{ by: 'pulses.name', as: 'name', dir: 'asc' }, { by: 'pulses.id', as: 'id', dir: 'asc' }], { limit, cursor })
    return shown(page, await showPulses(ctx, page.items))
  },
})

export const createPulse = operation({
  name: 'create_pulse',
  kind: 'write',
  rest: 'POST /api/pulses',
  about: 'Set up a repeating check-in with questions for a team, answered in writing or in a meeting',
  on: {
    team: team.see.describe('a team that you are in; its members, and nobody else, see the pulse'),
    channel: channel.edit.maybe.describe('a channel that you are in; each round is told there in your name'),
  },
  input: {
    name: title().max(200),
    questions: z.array(givenQuestion).min(1).max(20),
    rrule: z.string().min(1).max(500).describe('RFC 5545, at most daily, such as FREQ=WEEKLY;BYDAY=MO;BYHOUR=9; a round opens at each occurrence (09:00 unless it names an hour) and closes at the next'),
    timezone: timezoneField().optional().describe('zone of its days and hours; default: the organization’s'),
    mode: z.enum(['async', 'meeting']).default('async').describe('meeting: each round comes with a meeting of the team whose agenda are the questions'),
    anonymous: z.boolean().default(false).describe(`answers are shown without names, once a round is closed and ${fewest} people answered it; of fewer they are erased`),
  },
  output: Pulse,
  async handle({ team: of, channel: told, name, questions, rrule, timezone, mode, anonymous }, ctx) {
    await checkTeam(ctx, of, { mode, anonymous })
    if (told && told.archived_at !== null) throw new Refusal('conflict', 'This channel is archived.', 'Choose another one.')
    const zone = timezone ?? (await organization.seen(ctx).select('orgs.default_timezone').executeTakeFirstOrThrow()).default_timezone
    const kept = readRule(rrule)
    const start = startOf(kept, ctx.now, zone)
    const rule: Repeat = { rrule: withMonthEnds(kept, start).rrule, timezone: zone, start, endsOn: null }
    const first = nextOccurrence(rule, ctx.now)
    if (!first) throw invalid('rrule', 'there is no day on which a round would open.', 'Look at UNTIL, COUNT and at days that no month has.')
    const row = await ctx.add('pulses', {
      team_id: of.id,
      channel_id: told?.id ?? null,
      name: name.trim(),
      questions_json: JSON.stringify(questionsFrom(questions)),
      rrule: rule.rrule,
      timezone: zone,
      rule_start: rule.start,
      mode,
      anonymous: anonymous ? 1 : 0,
      active: 1,
      next_at: first.at,
      next_on: first.on,
      look_at: first.at,
    })
    ctx.notify('invite', await activeMembers(ctx, of.id), 'pulses', row, `${ctx.actor.display_name} set up a pulse for your team ${of.name}.`)
    return one(ctx, row)
  },
})

/** Entities have active and paused pulses; the catalogue has no operation for it, so the web app alone offers it. */
export const setPulseActive = operation({
  name: 'set_pulse_active',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/pulses/{pulse_id}/active',
  about: 'Pause a pulse, or let it go on; a round that is open stays so until the next would have come',
  on: { pulse: pulse.edit },
  input: { active: z.boolean() },
  output: Pulse,
  unlisted: true,
  async handle({ pulse: row, active }, ctx) {
    if ((row.active === 1) === active) return one(ctx, row)
    const first = nextOccurrence(ruleOf(row), ctx.now)
    if (active && !first) throw new Refusal('conflict', 'The rule of this pulse has come to its end.', 'Set up a new one with create_pulse.')
    const closing = (await openRoundOf(ctx, row)) ? row.look_at : null
    const times = active ? { next_at: first!.at, next_on: first!.on, look_at: Math.min(closing ?? first!.at, first!.at) } : { next_at: null, next_on: null, look_at: closing }
    await ctx.change('pulses', row, { active: active ? 1 : 0, ...times })
    return one(ctx, row)
  },
})

/** The pulse as it is now. */
async function one(ctx: ReadContext, { id }: PulseRow) {
  const row = await pulse.seen(ctx).selectAll('pulses').where('pulses.id', '=', id).executeTakeFirstOrThrow()
  return (await showPulses(ctx, [row]))[0]!
}

async function checkTeam(ctx: WriteContext, of: Row<'teams'>, { mode, anonymous }: { mode: string; anonymous: boolean }): Promise<void> {
  const members = await activeMembers(ctx, of.id)
  if (!members.includes(ctx.actor.id)) throw denied(`Only who is in the team ${of.name} may set up a pulse for it.`, 'Its lead or an administrator can add you with add_team_member.')
  if (ctx.actor.role === 'guest') throw denied('Guests answer pulses, and do not set them up.')
  if (!anonymous) return
  if (mode === 'meeting') throw invalid('anonymous', 'what is answered in a meeting is not anonymous.', 'Use mode async, or leave anonymous out.')
  if (members.length < fewest) throw invalid('anonymous', `the team has ${members.length} active people; answers of fewer than ${fewest} could never be shown.`, 'Add people to the team first, or leave anonymous out.')
}

/** DTSTART: the next time of day of the rule that is still to come, so that COUNT counts from the first round that opens. */
function startOf(rrule: string, now: number, zone: string): string {
  const part = (name: string, otherwise: number) => (new RegExp(`(?:^|;)${name}=(\\d+)`).exec(rrule)?.[1] ?? String(otherwise)).padStart(2, '0')
  const time = `${part('BYHOUR', opensAt)}:${part('BYMINUTE', 0)}:${part('BYSECOND', 0)}`
  const today = dayAt(now, zone)
  const isOver = wallTime(now, zone) >= `${today}T${time}`
  return `${isOver ? addDays(today, 1) : today}T${time}`
}
