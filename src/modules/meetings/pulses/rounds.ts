import type { WriteContext } from '../../../operations/context.ts'
import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { nextOccurrence, type Occurrence } from '../../../kernel/time/recurrence.ts'
import { localIso } from '../../../kernel/time/times.ts'
import {
  activeMembers,
  addRound,
  changeRound,
  duePulses,
  forgetSealed,
  noteTimes,
  pulse,
  pulsesAhead,
  pulseRound,
  setTimes,
  type PulseRow,
  type RoundRow,
} from './access.ts'
import { meeting } from '../access.ts'
import { closeRound } from './closure.ts'
import { closingTime, presentRound, pulseRepeatOf } from './rules.ts'
import { openRoundOf, questionsOf } from './shapes.ts'

const batchSize = 5
const tryAgainAfter = 3_600_000
const clockTolerance = 60_000
/** Maximum future occurrences searched for one not held yet. */
const maxHeld = 400

/**
 * Opens and closes rounds. Each step is one transaction that also advances the pulse, so nothing opens twice however
 * often the process ends; after a downtime only the current round opens.
 */
export const turnPulses: Tick = {
  name: 'turn_pulse_rounds',
  async run(system) {
    for (const row of await pulsesAhead(system, clockTolerance, batchSize))
      await inTeam(system, row, (ctx) => setBack(ctx, row))
    const due = await duePulses(system, batchSize)
    for (const row of due) await inTeam(system, row, (ctx) => advanceRounds(ctx, row))
    return due.length === batchSize
  },
}

/** Deletes sealed data of permanently deleted pulses. */
export const forgetPulses: Tick = {
  name: 'forget_pulses',
  run: async (system) => {
    await forgetSealed(system)
    return false
  },
}

/**
 * Acts as the pulse's creator, or else a team member: the result must not be visible outside the team. If refused
 * (sealed answers that cannot be opened now), it is retried later, so that others get their turn.
 */
async function inTeam(
  system: TickContext,
  row: PulseRow,
  work: (ctx: WriteContext) => Promise<void>,
): Promise<void> {
  try {
    await system.as(await actingFor(system, row), work)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await setTimes(system, row.id, { look_at: system.now + tryAgainAfter })
  }
}

async function actingFor({ all }: TickContext, row: PulseRow): Promise<string> {
  const members = await all
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.person_id')
    .select('users.id')
    .where('team_members.team_id', '=', row.team_id)
    .where('users.status', '=', 'active')
    .orderBy('team_members.role')
    .orderBy('users.id')
    .execute()
  return (
    members.find((member) => member.id === row.created_by)?.id ?? members[0]?.id ?? row.created_by
  )
}

async function advanceRounds(ctx: WriteContext, row: PulseRow): Promise<void> {
  const rule = pulseRepeatOf(row)
  const first =
    row.next_at === null || row.next_on === null ? undefined : { at: row.next_at, on: row.next_on }
  const present = presentRound(rule, first, ctx.now)
  const open = await openRoundOf(ctx, row)
  if (open && (present || row.look_at! <= ctx.now)) await closeRound(ctx, row, open)
  if (!present) return finishPulse(ctx, row)
  const next = nextOccurrence(rule, Math.max(present.at, ctx.now))
  const closes = next?.at ?? closingTime(rule, present.at)
  await noteTimes(ctx, row.id, {
    next_at: next?.at ?? null,
    next_on: next?.on ?? null,
    look_at: closes,
  })
  if (closes > ctx.now && !(await wasHeld(ctx, row, present)))
    await openRound(ctx, row, present, closes)
}

/** Finishes a pulse after its rule's last round, or when it was paused and its round is closed. */
async function finishPulse(ctx: WriteContext, row: PulseRow): Promise<void> {
  await noteTimes(ctx, row.id, { look_at: row.next_at })
  if (row.active === 1 && row.next_at === null) await ctx.change('pulses', row, { active: 0 })
}

async function wasHeld(ctx: WriteContext, row: PulseRow, { on }: Occurrence): Promise<boolean> {
  return Boolean(
    await pulseRound
      .of(ctx, [row.id])
      .select('pulse_rounds.pulse_id')
      .where('pulse_rounds.occurrence_on', '=', on)
      .executeTakeFirst(),
  )
}

/** A team without active people gets no round. */
async function openRound(
  ctx: WriteContext,
  row: PulseRow,
  { on }: Occurrence,
  closes: number,
): Promise<void> {
  const people = await activeMembers(ctx, row.team_id)
  if (people.length === 0) return
  const round = await addRound(ctx, row, on)
  ctx.event('pulse.round_opened', 'pulses', row)
  ctx.notify(
    'due',
    people,
    'pulses',
    row,
    `A round of a pulse of your team is open until ${localIso(closes, row.timezone).slice(0, 16).replace('T', ' ')} (${row.timezone}).`,
  )
  const problems: string[] = []
  if (row.mode === 'meeting') await tried(ctx, problems, () => meet(ctx, row, round, people))
  if (row.channel_id !== null) await tried(ctx, problems, () => postToChannel(ctx, row, closes))
  if (problems.length > 0) await changeRound(ctx, round, { problem: problems.join(' ') })
}

/** Attempts a side task of a round; a failure does not prevent answers, and the pulse reports the reason. */
async function tried(
  ctx: WriteContext,
  problems: string[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await ctx.attempt(work)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    problems.push(error.message)
  }
}

async function meet(
  ctx: WriteContext,
  row: PulseRow,
  round: RoundRow,
  people: readonly string[],
): Promise<void> {
  const agenda = questionsOf(row).map((question) => question.text)
  const { id } = await ctx.call<{ id: string }>('create_meeting', {
    title: `${row.name}, ${round.occurrence_on}`,
    kind: 'pulse',
    participants: people,
    agenda,
    visibility: 'participants',
  })
  const meetingRow = (await meeting.find(ctx, id, 'edit'))!
  await ctx.change('meetings', meetingRow, { pulse_id: row.id })
  await changeRound(ctx, round, { meeting_id: id })
}

/** In the name of the pulse's creator, if they may still post there. */
async function postToChannel(ctx: WriteContext, row: PulseRow, closes: number): Promise<void> {
  if (ctx.actor.id !== row.created_by)
    throw new Refusal(
      'permission_denied',
      'The channel was not notified: the creator of this pulse is no longer in the team.',
    )
  const until = localIso(closes, row.timezone).slice(0, 16).replace('T', ' ')
  const body_markdown = `The pulse **${row.name.replaceAll(/([\\*_`~[\]<>@])/g, '\\$1')}** is open until ${until} (${row.timezone}): ${pulse.url(row, ctx.baseUrl)}`
  await ctx.call('send_message', { channel_id: row.channel_id, body_markdown })
}

/**
 * The clock was ahead when the open round was opened, and has been corrected. The round stays and is not opened again
 * on its day; skipped ones follow normally.
 */
async function setBack(ctx: WriteContext, row: PulseRow): Promise<void> {
  const open = (await openRoundOf(ctx, row))!
  await changeRound(ctx, open, { opened_at: ctx.now })
  if (row.active === 0) return
  const rule = pulseRepeatOf(row)
  let next = nextOccurrence(rule, ctx.now)
  for (let i = 0; next && i < maxHeld && (await wasHeld(ctx, row, next)); i++)
    next = nextOccurrence(rule, next.at)
  if (next) await noteTimes(ctx, row.id, { next_at: next.at, next_on: next.on, look_at: next.at })
}
