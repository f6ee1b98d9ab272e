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
  deleteOrphanedSecrets,
  setPulseTimesInCall,
  pulse,
  pulsesOpenedInFuture,
  pulseRound,
  setPulseTimes,
  type PulseRow,
  type RoundRow,
} from './access.ts'
import { meeting } from '../access.ts'
import { closeRound } from './closure.ts'
import { closingTime, currentOccurrence, pulseRepeatOf } from './rules.ts'
import { openRoundOf, questionsOf } from './shapes.ts'

const batchSize = 5
const retryDelayMs = 3_600_000
const clockToleranceMs = 60_000
/** Maximum future occurrences that are checked to find one without a round. */
const maxSkippedOccurrences = 400

/**
 * Opens and closes rounds. Each step is one transaction that also advances the pulse, so that nothing opens twice,
 * even if the process is interrupted; after a downtime only the current round opens.
 */
export const advancePulses: Tick = {
  name: 'turn_pulse_rounds',
  async run(system) {
    for (const row of await pulsesOpenedInFuture(system, clockToleranceMs, batchSize))
      await runAsTeamMember(system, row, (ctx) => correctOpenedInFuture(ctx, row))
    const due = await duePulses(system, batchSize)
    for (const row of due) await runAsTeamMember(system, row, (ctx) => advanceRounds(ctx, row))
    return due.length === batchSize
  },
}

/** Deletes the sealed answers of erased pulses. */
export const deletePulseSecrets: Tick = {
  name: 'forget_pulses',
  run: async (system) => {
    await deleteOrphanedSecrets(system)
    return false
  },
}

/**
 * Runs as the pulse's creator, or else a team member, so that the result is visible only in the team. If refused
 * (for example because sealed answers cannot be opened), the pulse is retried later, and others are processed first.
 */
async function runAsTeamMember(
  system: TickContext,
  row: PulseRow,
  work: (ctx: WriteContext) => Promise<void>,
): Promise<void> {
  try {
    await system.as(await actorFor(system, row), work)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await setPulseTimes(system, row.id, { look_at: system.now + retryDelayMs })
  }
}

async function actorFor({ all }: TickContext, row: PulseRow): Promise<string> {
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
  const current = currentOccurrence(rule, first, ctx.now)
  const open = await openRoundOf(ctx, row)
  if (open && (current || row.look_at! <= ctx.now)) await closeRound(ctx, row, open)
  if (!current) return finishPulse(ctx, row)
  const next = nextOccurrence(rule, Math.max(current.at, ctx.now))
  const closesAt = next?.at ?? closingTime(rule, current.at)
  await setPulseTimesInCall(ctx, row.id, {
    next_at: next?.at ?? null,
    next_on: next?.on ?? null,
    look_at: closesAt,
  })
  if (closesAt > ctx.now && !(await hasRound(ctx, row, current)))
    await openRound(ctx, row, current, closesAt)
}

/** Called when no round is due: deactivates the pulse if its rule has ended. */
async function finishPulse(ctx: WriteContext, row: PulseRow): Promise<void> {
  await setPulseTimesInCall(ctx, row.id, { look_at: row.next_at })
  if (row.active === 1 && row.next_at === null) await ctx.change('pulses', row, { active: 0 })
}

async function hasRound(ctx: WriteContext, row: PulseRow, { on }: Occurrence): Promise<boolean> {
  return Boolean(
    await pulseRound
      .of(ctx, [row.id])
      .select('pulse_rounds.pulse_id')
      .where('pulse_rounds.occurrence_on', '=', on)
      .executeTakeFirst(),
  )
}

/** Opens a round, unless the team has no active people. */
async function openRound(
  ctx: WriteContext,
  row: PulseRow,
  { on }: Occurrence,
  closesAt: number,
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
    `A round of a pulse of your team is open until ${localIso(closesAt, row.timezone).slice(0, 16).replace('T', ' ')} (${row.timezone}).`,
  )
  const problems: string[] = []
  if (row.mode === 'meeting')
    await attemptSideTask(ctx, problems, () => createRoundMeeting(ctx, row, round, people))
  if (row.channel_id !== null)
    await attemptSideTask(ctx, problems, () => postToChannel(ctx, row, closesAt))
  if (problems.length > 0) await changeRound(ctx, round, { problem: problems.join(' ') })
}

/** Runs a side task of a round; if it is refused, the round opens nevertheless, and the pulse reports the reason. */
async function attemptSideTask(
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

async function createRoundMeeting(
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

/** Announces a round in the channel in the name of the pulse's creator, if they may still post there. */
async function postToChannel(ctx: WriteContext, row: PulseRow, closesAt: number): Promise<void> {
  if (ctx.actor.id !== row.created_by)
    throw new Refusal(
      'permission_denied',
      'The channel was not notified: the creator of this pulse is no longer in the team.',
    )
  const closingText = localIso(closesAt, row.timezone).slice(0, 16).replace('T', ' ')
  const body_markdown = `The pulse **${row.name.replaceAll(/([\\*_`~[\]<>@])/g, '\\$1')}** is open until ${closingText} (${row.timezone}): ${pulse.url(row, ctx.baseUrl)}`
  await ctx.call('send_message', { channel_id: row.channel_id, body_markdown })
}

/**
 * Called if the clock was ahead when the open round was opened, and has been corrected. The round stays open; its day
 * gets no second one; skipped rounds open normally.
 */
async function correctOpenedInFuture(ctx: WriteContext, row: PulseRow): Promise<void> {
  const open = (await openRoundOf(ctx, row))!
  await changeRound(ctx, open, { opened_at: ctx.now })
  if (row.active === 0) return
  const rule = pulseRepeatOf(row)
  let next = nextOccurrence(rule, ctx.now)
  for (let i = 0; next && i < maxSkippedOccurrences && (await hasRound(ctx, row, next)); i++)
    next = nextOccurrence(rule, next.at)
  if (next)
    await setPulseTimesInCall(ctx, row.id, { next_at: next.at, next_on: next.on, look_at: next.at })
}
