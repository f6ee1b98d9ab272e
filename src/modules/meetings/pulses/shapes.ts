import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { day, datetimeString } from '../../../kernel/fields.ts'
import type { Row } from '../../../records/resource.ts'
import { iso, localIso } from '../../../kernel/time/times.ts'
import { channel } from '../../chat/access.ts'
import { team } from '../../directory/access.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { common, commonOf, Ref } from '../../../records/shapes.ts'
import { meeting } from '../access.ts'
import {
  activeMembers,
  pulse,
  pulseResponse,
  pulseRound,
  type PulseRow,
  type RoundRow,
} from './access.ts'
import type { Answers } from './answers.ts'
import { PulseQuestion, Score, Trend } from './question-shapes.ts'
import { rateOf } from './scores.ts'

export const Pulse = shape('Pulse', {
  ...common,
  name: z.string(),
  team: Ref,
  questions: z.array(PulseQuestion),
  rrule: z.string(),
  timezone: z.string(),
  mode: z.enum(['async', 'meeting']),
  channel: Ref.optional().describe('channel notified of each round'),
  problem: z
    .string()
    .optional()
    .describe('why the open round was not announced in the channel, or has no meeting'),
  anonymous: z.boolean(),
  active: z.boolean().describe('false: paused, or its schedule has ended'),
  answer_rate: z.number().describe('response rate, 0 to 1, over the last ten closed rounds'),
  next_on: day().optional().describe('day of the next round'),
  next_at: datetimeString().optional(),
  next_local: z.string().optional().describe('in the time zone of the pulse'),
  open_round: z
    .strictObject({
      on: day(),
      opened_at: datetimeString(),
      closes_at: datetimeString().optional(),
      answered: z.int(),
      expected: z.int(),
      answered_by_me: z.boolean().optional().describe('hidden for an anonymous pulse'),
      meeting: Ref.optional(),
    })
    .optional(),
})

const answersShape = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

export const PulseResponse = shape('PulseResponse', {
  ...z.strictObject(common).partial().shape,
  pulse: Ref,
  occurrence_on: day(),
  person: Ref.optional().describe(
    'absent for an anonymous pulse, like all other fields except the answers',
  ),
  answers: answersShape.describe(
    'by question id; in a report of an anonymous pulse, one answer each',
  ),
})

export const PulseReport = shape('PulseReport', {
  pulse: Ref,
  anonymous: z.boolean(),
  questions: z.array(PulseQuestion),
  rounds: z
    .array(
      z.strictObject({
        on: day(),
        opened_at: datetimeString(),
        closed_at: datetimeString().optional(),
        answered: z.int(),
        expected: z.int(),
        scores: z.record(z.string(), Score).describe('by id of the question'),
        withheld: z
          .string()
          .optional()
          .describe('why the answers of an anonymous round are not shown'),
        meeting: Ref.optional(),
      }),
    )
    .describe('newest first'),
  answers: z.array(PulseResponse).describe('of these rounds'),
  trends: z
    .record(z.string(), Trend)
    .describe('by id of the question, over the newest 100 rounds of the period'),
  blockers: z.array(
    z.strictObject({
      on: day(),
      text: z.string(),
      person: Ref.optional(),
      task: Ref.optional(),
      more_tasks: z.array(Ref).optional(),
    }),
  ),
  missing: z
    .array(Ref)
    .describe('who has not answered the newest round of the period; empty for an anonymous pulse'),
  next_cursor: z.string().optional(),
  has_more: z.boolean(),
})

export function questionsOf(row: Pick<PulseRow, 'questions_json'>): PulseQuestion[] {
  return JSON.parse(row.questions_json) as PulseQuestion[]
}

export function pulseRef(row: Pick<PulseRow, 'id' | 'name'>): Ref {
  return { id: row.id, title: row.name }
}

/** The round that is open, if any. */
export function openRoundOf(ctx: ReadContext, row: PulseRow): Promise<RoundRow | undefined> {
  return pulseRound
    .of(ctx, [row.id])
    .selectAll('pulse_rounds')
    .where('pulse_rounds.closed_at', 'is', null)
    .executeTakeFirst()
}

/** Responses so far in an open round of a pulse that is not anonymous. */
export function responsesOf(
  ctx: ReadContext,
  { pulse_id, occurrence_on }: Pick<RoundRow, 'pulse_id' | 'occurrence_on'>,
): Promise<Row<'pulse_responses'>[]> {
  return pulseResponse
    .of(ctx, [pulse_id])
    .selectAll('pulse_responses')
    .where('pulse_responses.occurrence_on', '=', occurrence_on)
    .orderBy('pulse_responses.id')
    .execute()
}

/** Counts the answers of an open round. People who left the team after answering count as answered and as expected. */
export async function roundStatus(
  ctx: ReadContext,
  row: PulseRow,
  round: RoundRow,
): Promise<{ answered: number; expected: number; missing: string[]; respondents: Set<string> }> {
  const members = await activeMembers(ctx, row.team_id)
  if (row.anonymous === 1)
    return {
      answered: round.answered,
      expected: Math.max(round.answered, members.length),
      missing: [],
      respondents: new Set(),
    }
  const respondents = new Set<string>(
    (await responsesOf(ctx, round)).map((response) => response.created_by),
  )
  return {
    answered: respondents.size,
    expected: respondents.union(new Set<string>(members)).size,
    missing: members.filter((id) => !respondents.has(id)),
    respondents,
  }
}

/** Pulses for results. The rows are already visible, and a page has few. */
export async function presentPulses(
  ctx: ReadContext,
  rows: readonly PulseRow[],
): Promise<z.infer<typeof Pulse>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const teams = await team.among(
    ctx,
    rows.map((row) => row.team_id),
  )
  const channels = await channel.among(
    ctx,
    rows.flatMap((row) => row.channel_id ?? []),
  )
  const presented: z.infer<typeof Pulse>[] = []
  for (const row of rows) {
    const channelRow = row.channel_id === null ? undefined : channels.get(row.channel_id)
    presented.push(
      omitNullish({
        ...commonOf(row, pulse.url(row, ctx.baseUrl), people),
        name: row.name,
        team: { id: row.team_id, title: teams.get(row.team_id)!.name },
        questions: questionsOf(row),
        rrule: row.rrule,
        timezone: row.timezone,
        mode: row.mode,
        channel: channelRow ? refOfChannel(channelRow, ctx.baseUrl) : undefined,
        anonymous: row.anonymous === 1,
        active: row.active === 1,
        ...(await roundSummary(ctx, row)),
        ...(row.next_on === null || row.next_at === null
          ? {}
          : {
              next_on: row.next_on,
              next_at: iso(row.next_at),
              next_local: localIso(row.next_at, row.timezone),
            }),
      }),
    )
  }
  return presented
}

function refOfChannel(row: Row<'channels'>, baseUrl: string): Ref {
  const { id, title, key } = channel.ref(row, baseUrl)
  return omitNullish({ id, title, key })
}

async function roundSummary(ctx: ReadContext, row: PulseRow) {
  const closed = await pulseRound
    .of(ctx, [row.id])
    .select(['pulse_rounds.answered', 'pulse_rounds.expected'])
    .where('pulse_rounds.closed_at', 'is not', null)
    .orderBy('pulse_rounds.occurrence_on', 'desc')
    .limit(10)
    .execute()
  const open = await openRoundOf(ctx, row)
  const status = open && (await roundStatus(ctx, row, open))
  const answer_rate =
    closed.length > 0 || !status
      ? rateOf(closed.map((item) => ({ answered: item.answered, expected: item.expected ?? 0 })))
      : rateOf([status])
  if (!open || !status) return { answer_rate }
  return omitNullish({
    answer_rate,
    problem: open.problem,
    open_round: omitNullish({
      on: open.occurrence_on,
      opened_at: iso(open.opened_at),
      closes_at: row.look_at === null ? undefined : iso(row.look_at),
      answered: status.answered,
      expected: status.expected,
      answered_by_me: row.anonymous === 1 ? undefined : status.respondents.has(ctx.actor.id),
      ...(await meetingOfRound(ctx, open)),
    }),
  })
}

/** A round's meeting, if visible. */
export async function meetingOfRound(
  ctx: ReadContext,
  { meeting_id }: Pick<RoundRow, 'meeting_id'>,
): Promise<{ meeting?: Ref }> {
  const meetingRow =
    meeting_id === null
      ? undefined
      : (await meeting.among(ctx, [meeting_id])).get(meeting_id as Row<'meetings'>['id'])
  return meetingRow ? { meeting: { id: meetingRow.id, title: meetingRow.title } } : {}
}

/** Presents a response in an open round. */
export function presentResponse(
  ctx: ReadContext,
  pulseRow: PulseRow,
  row: Row<'pulse_responses'>,
  people: Map<string, Ref>,
): z.infer<typeof PulseResponse> {
  const person = people.get(row.created_by)
  return omitNullish({
    ...commonOf(row, pulse.url(pulseRow, ctx.baseUrl), people),
    pulse: pulseRef(pulseRow),
    occurrence_on: row.occurrence_on,
    person,
    answers: JSON.parse(row.answers_json) as Answers,
  })
}
