import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { paging, pageOf, timezone as timezoneField, title } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { denied, invalid, Refusal } from '../../../kernel/refusal.ts'
import {
  nextOccurrence,
  parseRule,
  wallTime,
  withMonthEnds,
  type Repeat,
} from '../../../kernel/time/recurrence.ts'
import type { Row } from '../../../records/resource.ts'
import { addDays, dayAt } from '../../../kernel/time/times.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { channel } from '../../chat/access.ts'
import { organization, team } from '../../directory/access.ts'
import { activeMembers, pulse, pulseRound, type PulseRow } from './access.ts'
import { minShownAnswers } from './answers.ts'
import { questionInput, questionsFrom } from './questions.ts'
import { pulseRepeatOf } from './rules.ts'
import { openRoundOf, Pulse, questionsOf, presentPulses, roundStatus } from './shapes.ts'
import type { PulseQuestion } from './question-shapes.ts'

/** Default opening hour of rounds. */
const defaultHour = 9

export const listPulses = operation({
  name: 'list_pulses',
  searchHint: 'standups, check-ins, surveys of the team',
  kind: 'read',
  rest: 'GET /api/pulses',
  about: 'Recurring pulse check-ins of own teams with schedule, questions and answer rate',
  on: { team: team.see.maybe },
  input: {
    active: z.boolean().optional().describe('false: paused or ended pulses'),
    ...paging,
  },
  output: pageOf(Pulse),
  async handle({ team, active, limit, cursor }, ctx) {
    let query = pulse.visibleTo(ctx).selectAll('pulses')
    if (team) query = query.where('pulses.team_id', '=', team.id)
    if (active !== undefined) query = query.where('pulses.active', '=', active ? 1 : 0)
    const page = await paged(
      query,
      [
        { by: 'pulses.name', as: 'name', dir: 'asc' },
        { by: 'pulses.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentPulses(ctx, page.items))
  },
})

export const createPulse = operation({
  name: 'create_pulse',
  searchHint:
    'standup, daily standup, check-in, retro, retrospective, mood survey, async status, ' +
    'ask the team how they feel',
  kind: 'write',
  rest: 'POST /api/pulses',
  about:
    'Set up a recurring check-in with questions for a team, answered in writing or in a meeting',
  on: {
    team: team.see.describe('a team you are in'),
    channel: channel.edit.maybe.describe(
      'a channel you are in; each round is announced there in your name',
    ),
  },
  input: {
    name: title().max(200),
    questions: z.array(questionInput).min(1).max(20).describe('in their order'),
    rrule: z
      .string()
      .min(1)
      .max(500)
      .describe(
        'RFC 5545, at most daily, such as FREQ=WEEKLY;BYDAY=MO;BYHOUR=9; a round opens at each occurrence (09:00 unless it names an hour) and closes at the next',
      ),
    timezone: timezoneField()
      .optional()
      .describe('time zone of the rrule; default: the organization’s'),
    mode: z
      .enum(['async', 'meeting'])
      .default('async')
      .describe('meeting: each round has a team meeting with the questions as its agenda'),
    anonymous: z
      .boolean()
      .default(false)
      .describe(
        `answers are shown without names once a round is closed with ${minShownAnswers} or more; fewer are erased`,
      ),
  },
  output: Pulse,
  async handle(
    { team, channel: announceIn, name, questions, rrule, timezone, mode, anonymous },
    ctx,
  ) {
    await requireAllowedTeam(ctx, team, { mode, anonymous })
    if (announceIn) requireOpenChannel(announceIn)
    const zone =
      timezone ??
      (await organization.visibleTo(ctx).select('orgs.default_timezone').executeTakeFirstOrThrow())
        .default_timezone
    const parsedRule = parseRule(rrule)
    const start = ruleStartOf(parsedRule, ctx.now, zone)
    const rule: Repeat = {
      rrule: withMonthEnds(parsedRule, start).rrule,
      timezone: zone,
      start,
      endsOn: null,
    }
    const first = nextOccurrence(rule, ctx.now)
    if (!first)
      throw invalid(
        'rrule',
        'has no future occurrence.',
        'Check UNTIL, COUNT, and days that no month has.',
      )
    const row = await ctx.add('pulses', {
      team_id: team.id,
      channel_id: announceIn?.id ?? null,
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
    ctx.notify(
      'invite',
      await activeMembers(ctx, team.id),
      'pulses',
      row,
      `${ctx.actor.display_name} set up a pulse for your team ${team.name}.`,
    )
    return presentPulse(ctx, row)
  },
})

/** Operation behind the switch in the web app; update_pulse does the same. */
export const setPulseActive = operation({
  name: 'set_pulse_active',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/pulses/{pulse_id}/active',
  about: 'Pause or resume a pulse; an open round stays open until the next was due',
  on: { pulse: pulse.edit },
  input: { active: z.boolean() },
  output: Pulse,
  unlisted: true,
  async handle({ pulse: row, active }, ctx) {
    if ((row.active === 1) === active) return presentPulse(ctx, row)
    await ctx.change('pulses', row, await pulseTimesOf(ctx, row, pulseRepeatOf(row), active))
    return presentPulse(ctx, row)
  },
})

const ruleInput = () => z.string().min(1).max(500)

export const updatePulse = operation({
  name: 'update_pulse',
  searchHint: 'stop the standup for a while, edit check-in questions, reschedule the standup',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/pulses/{pulse_id}',
  about: 'Change, pause or resume a pulse: its name, questions, schedule or channel',
  on: { pulse: pulse.edit, channel: channel.edit.clearable },
  input: {
    name: title().max(200).optional(),
    questions: z
      .array(questionInput)
      .min(1)
      .max(20)
      .optional()
      .describe('the complete list; a question keeps its id and type, so that reports can compare'),
    rrule: ruleInput().optional().describe('as in create_pulse'),
    timezone: timezoneField().optional(),
    active: z.boolean().optional().describe('false: pause; an open round stays open until it ends'),
  },
  revision: 'pulse',
  output: Pulse,
  async handle({ pulse: row, channel: announceIn, name, questions, rrule, timezone, active }, ctx) {
    if (announceIn) requireOpenChannel(announceIn)
    const newQuestions = questions && (await requireComparable(ctx, row, questionsFrom(questions)))
    const rule = changedRule(ctx, row, rrule, timezone)
    const isActive = active ?? row.active === 1
    const isRescheduled = rule.rrule !== row.rrule || rule.timezone !== row.timezone
    const isToggled = isActive !== (row.active === 1)
    await ctx.change(
      'pulses',
      row,
      omitUndefined({
        name: name === undefined ? undefined : name.trim(),
        questions_json: newQuestions === undefined ? undefined : JSON.stringify(newQuestions),
        channel_id: announceIn === undefined ? undefined : (announceIn?.id ?? null),
        ...(isRescheduled
          ? { rrule: rule.rrule, timezone: rule.timezone, rule_start: rule.start }
          : {}),
        ...(isRescheduled || isToggled ? await pulseTimesOf(ctx, row, rule, isActive) : {}),
      }),
    )
    return presentPulse(ctx, row)
  },
})

export const deletePulse = operation({
  name: 'delete_pulse',
  searchHint: 'stop the standup for good, remove a check-in',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/pulses/{pulse_id}',
  about: 'End a pulse for good: move it with its rounds and answers to the trash',
  on: { pulse: pulse.own },
  dryRun: true,
  output: DeletedRef,
  async handle({ pulse: row }, ctx) {
    const rounds = await pulseRound
      .of(ctx, [row.id])
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    await ctx.trash('pulses', row)
    const parts = [{ type: 'pulse_round', ...rounds }].filter((part) => part.count > 0)
    return deletedRef(ctx, pulse.ref(row, ctx.baseUrl), parts)
  },
})

/** Columns for when the next round opens, and when the pulse is checked next. */
async function pulseTimesOf(ctx: ReadContext, row: PulseRow, rule: Repeat, active: boolean) {
  const closesAt = (await openRoundOf(ctx, row)) ? row.look_at : null
  if (!active) return { active: 0 as const, next_at: null, next_on: null, look_at: closesAt }
  const first = nextOccurrence(rule, ctx.now)
  if (!first) {
    const hint = 'Set a new rrule, or set up a new pulse with create_pulse.'
    throw new Refusal('conflict', 'The schedule of this pulse has ended.', hint)
  }
  const look_at = Math.min(closesAt ?? first.at, first.at)
  return { active: 1 as const, next_at: first.at, next_on: first.on, look_at }
}

/** A pulse's rule with changes applied; COUNT restarts. */
function changedRule(
  ctx: ReadContext,
  row: PulseRow,
  rrule: string | undefined,
  timezone: string | undefined,
): Repeat {
  const newTimezone = timezone ?? row.timezone
  const rule = rrule === undefined ? row.rrule : parseRule(rrule)
  if (rule === row.rrule && newTimezone === row.timezone) return pulseRepeatOf(row)
  return {
    rrule: rule,
    timezone: newTimezone,
    start: ruleStartOf(rule, ctx.now, newTimezone),
    endsOn: null,
  }
}

/** @throws Refusal conflict if existing answers would no longer fit their question */
async function requireComparable(
  ctx: ReadContext,
  row: PulseRow,
  newQuestions: PulseQuestion[],
): Promise<PulseQuestion[]> {
  const before = questionsOf(row)
  for (const [i, question] of newQuestions.entries()) {
    const former = before.find((entry) => entry.id === question.id)
    if (!former || isComparable(former, question)) continue
    const message = `Question ${question.id} had another type or scale.`
    const hint = 'Give the changed question a new id; its former answers stay in the rounds.'
    throw new Refusal('conflict', message, { field: `questions[${i}]`, hint })
  }
  const removedQuestion = before.find((former) =>
    newQuestions.every((question) => question.id !== former.id),
  )
  const open = await openRoundOf(ctx, row)
  if (removedQuestion && open && (await roundStatus(ctx, row, open)).answered > 0) {
    const message = `The open round has answers to ${removedQuestion.id}, which would be lost.`
    const hint = 'Remove the question after the round has closed.'
    throw new Refusal('conflict', message, { field: 'questions', hint })
  }
  return newQuestions
}

function isComparable(former: PulseQuestion, question: PulseQuestion): boolean {
  const scale = ({ min = 1, max = 5 }: PulseQuestion) => `${min}-${max}`
  const options = ({ options: choices = [] }: PulseQuestion) => JSON.stringify(choices)
  return (
    former.type === question.type &&
    scale(former) === scale(question) &&
    options(former) === options(question)
  )
}

function requireOpenChannel({ archived_at }: Row<'channels'>): void {
  if (archived_at === null) return
  throw new Refusal('conflict', 'This channel is archived.', 'Choose another one.')
}

/** Reads a pulse again and presents it. */
async function presentPulse(ctx: ReadContext, { id }: PulseRow) {
  const row = await pulse
    .visibleTo(ctx)
    .selectAll('pulses')
    .where('pulses.id', '=', id)
    .executeTakeFirstOrThrow()
  return (await presentPulses(ctx, [row]))[0]!
}

async function requireAllowedTeam(
  ctx: WriteContext,
  team: Row<'teams'>,
  { mode, anonymous }: { mode: string; anonymous: boolean },
): Promise<void> {
  const members = await activeMembers(ctx, team.id)
  if (!members.includes(ctx.actor.id))
    throw denied(
      `Only members of the team ${team.name} may set up a pulse for it.`,
      'Its lead or an administrator can add you with add_team_member.',
    )
  if (ctx.actor.role === 'guest') throw denied('Guests can answer pulses but not set them up.')
  if (!anonymous) return
  if (mode === 'meeting')
    throw invalid(
      'anonymous',
      'answers given in a meeting cannot be anonymous.',
      'Use mode async, or omit anonymous.',
    )
  if (members.length < minShownAnswers)
    throw invalid(
      'anonymous',
      `the team has ${members.length} active people; with fewer than ${minShownAnswers}, answers could never be shown.`,
      'Add people to the team first, or omit anonymous.',
    )
}

/** DTSTART of a rule: the next occurrence of its time of day, so that COUNT starts with the first round that opens. */
function ruleStartOf(rrule: string, now: number, zone: string): string {
  const part = (name: string, fallback: number) =>
    (new RegExp(`(?:^|;)${name}=(\\d+)`).exec(rrule)?.[1] ?? String(fallback)).padStart(2, '0')
  const time = `${part('BYHOUR', defaultHour)}:${part('BYMINUTE', 0)}:${part('BYSECOND', 0)}`
  const today = dayAt(now, zone)
  const hasPassed = wallTime(now, zone) >= `${today}T${time}`
  return `${hasPassed ? addDays(today, 1) : today}T${time}`
}
