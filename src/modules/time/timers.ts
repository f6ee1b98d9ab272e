import { omitNullish } from '../../kernel/present.ts'
import type { ReadContext, WriteContext } from '../../operations/context.ts'
import { datetime } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'
import { dayLength, parseInstant, localIso } from '../../kernel/time/times.ts'
import { runningOf, timeEntry } from './access.ts'
import { dayOfTimer, isTooLong } from './durations.ts'
import { entryNote, presentEntry } from './entries.ts'
import { presentEntries, TimeEntry } from './shapes.ts'
import { stopColumns } from './timer-stops.ts'
import { requireTarget, targetParams } from './targets.ts'

export const startTimer = operation({
  name: 'start_timer',
  searchHint: 'start the clock, begin tracking, stopwatch',
  kind: 'write',
  rest: 'POST /api/timers',
  creates: 'item',
  about: 'Start timing a task or project; stops a running timer first',
  on: targetParams,
  input: {
    note: entryNote().optional(),
    started_at: datetime()
      .optional()
      .describe(
        'default now; up to 24 hours ago, and not before your last timer ended. A running timer stops then',
      ),
  },
  output: TimeEntry,
  async handle({ task: on, project, note, started_at }, ctx) {
    const target = requireTarget(on, project)
    const at = started_at === undefined ? ctx.now : readTimerStart(ctx, started_at)
    const stoppedBefore = await stopPreviousTimer(ctx, at)
    if (started_at !== undefined) await requireFreeTime(ctx, at)
    const timer = await ctx.add('time_entries', {
      ...target,
      person_id: ctx.actor.id,
      spent_on: dayOfTimer(at, ctx.actor.timezone),
      duration_minutes: 0,
      note: note?.trim() || null,
      billable: 0,
      running_since_at: at,
      started_at: at,
    })
    const previousEntry = stoppedBefore && (await presentEntries(ctx, [stoppedBefore.row]))[0]
    return omitNullish({
      ...(await presentEntry(ctx, timer, stoppedBefore?.notes)),
      stopped: previousEntry,
    })
  },
})

export const stopTimer = operation({
  name: 'stop_timer',
  searchHint: 'stop the clock, stop tracking, end the stopwatch',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/timers/stop',
  about: 'Stop the running timer and keep the entry',
  input: {
    note: entryNote().optional().describe('replaces the note it was started with'),
    stopped_at: datetime().optional().describe('default now'),
  },
  output: TimeEntry,
  async handle({ note, stopped_at }, ctx) {
    const row = await runningOf(ctx)
    if (!row)
      throw new Refusal(
        'conflict',
        'You have no running timer.',
        'Start one with start_timer, or log the time with create_time_entry.',
      )
    const at =
      stopped_at === undefined
        ? ctx.now
        : parseInstant(stopped_at, ctx.actor.timezone, 'end', 'stopped_at')
    if (at > ctx.now) throw invalid('stopped_at', 'a timer cannot be stopped in the future.')
    if (stopped_at !== undefined && at <= row.running_since_at!)
      throw invalid(
        'stopped_at',
        `this timer started later, at ${localIso(row.running_since_at!, ctx.actor.timezone)}.`,
      )
    const ended = await stop(ctx, row, at, note === undefined ? {} : { note: note.trim() || null })
    return presentEntry(ctx, ended.row, ended.notes)
  },
})

interface StoppedTimer {
  row: Row<'time_entries'>
  notes: string[]
}

async function stop(
  ctx: WriteContext,
  row: Row<'time_entries'>,
  at: number,
  more: Partial<Row<'time_entries'>> = {},
): Promise<StoppedTimer> {
  const changed = await ctx.change('time_entries', row, { ...stopColumns(row, at), ...more })
  const long = isTooLong(at - row.running_since_at!)
  return {
    row: changed,
    notes: long
      ? [
          `The timer of ${row.spent_on} ran for more than a day; 24 h were recorded. Correct it with update_time_entry.`,
        ]
      : [],
  }
}

function readTimerStart(ctx: ReadContext, text: string): number {
  const at = parseInstant(text, ctx.actor.timezone, 'start', 'started_at')
  if (at > ctx.now) throw invalid('started_at', 'a timer cannot be started in the future.')
  if (at < ctx.now - dayLength)
    throw invalid(
      'started_at',
      'a timer can be started up to 24 hours ago.',
      'Log earlier time with create_time_entry.',
    )
  return at
}

/** Stops the running timer at the moment at which the next one starts. */
async function stopPreviousTimer(ctx: WriteContext, at: number): Promise<StoppedTimer | undefined> {
  const row = await runningOf(ctx)
  if (!row) return undefined
  if (at >= row.running_since_at!) return stop(ctx, row, at)
  throw new Refusal(
    'conflict',
    `Another timer of yours has been running since ${localIso(row.running_since_at!, ctx.actor.timezone)}, which is later than started_at.`,
    {
      field: 'started_at',
      hint: 'Start at that time or later, or stop that timer and correct its entry first.',
    },
  )
}

/** @throws Refusal conflict if a timer of the caller was still running at a moment */
async function requireFreeTime(ctx: ReadContext, at: number): Promise<void> {
  const later = await timeEntry
    .editableBy(ctx)
    .select('time_entries.stopped_at')
    .where('time_entries.stopped_at', '>', at)
    .orderBy('time_entries.stopped_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!later) return
  throw new Refusal(
    'conflict',
    `Your last timer ran until ${localIso(later.stopped_at!, ctx.actor.timezone)}, which is later than started_at.`,
    { field: 'started_at', hint: 'Start at that time or later.' },
  )
}
