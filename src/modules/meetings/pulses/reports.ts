import { omitNullish } from '../../../kernel/present.ts'
import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { date, paging } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged } from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { iso } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { commonOf, type Ref } from '../../../records/shapes.ts'
import { task } from '../../tasks/access.ts'
import { pulse, pulseRound, type PulseRow, type RoundRow } from './access.ts'
import {
  answersByQuestion,
  minShownAnswers,
  type PulseAnswer,
  type Answers,
  type AnswersByQuestion,
} from './answers.ts'
import type { StoredResponse } from './closure.ts'
import {
  asksForBlockers,
  blockerOf,
  scoresOf,
  taskKeysIn,
  trendsOf,
  type Scores,
} from './scores.ts'
import {
  meetingOfRound,
  pulseRef,
  PulseReport,
  questionsOf,
  responsesOf,
  roundStatus,
} from './shapes.ts'
import type { PulseQuestion } from './question-shapes.ts'

type Report = z.infer<typeof PulseReport>
type Response = Report['answers'][number]

const maxTrendRounds = 100
const maxTasks = 50

export const getPulseReport = operation({
  name: 'get_pulse_report',
  searchHint: 'standup answers, retro results, how did people answer, who is stuck, team mood',
  kind: 'read',
  rest: 'GET /api/pulses/{pulse_id}/report',
  about: 'Answers and trends of one or more rounds, blockers and who has not answered',
  on: { pulse: pulse.see },
  input: {
    from: date().optional().describe('day of the earliest round'),
    to: date().optional().describe('day of the latest round'),
    limit: paging.limit.describe('rounds a page, newest first'),
    cursor: paging.cursor,
  },
  output: PulseReport,
  async handle({ pulse: row, from, to, limit, cursor }, ctx) {
    if (from !== undefined && to !== undefined && from > to)
      throw invalid('from', 'the period ends before it begins.', 'Use a from no later than to.')
    const questions = questionsOf(row)
    const page = await paged(
      roundsIn(ctx, row, from, to).selectAll('pulse_rounds'),
      [{ by: 'pulse_rounds.occurrence_on', as: 'occurrence_on', dir: 'desc' }],
      { limit, cursor },
    )
    const roundReports = await Promise.all(
      page.items.map((round) => reportRound(ctx, row, questions, round)),
    )
    return omitNullish({
      pulse: pulseRef(row),
      anonymous: row.anonymous === 1,
      questions,
      rounds: roundReports.map((round) => round.round),
      answers: roundReports.flatMap((round) => round.answers),
      trends: trendsOf(questions, await trendRounds(ctx, row, questions, from, to)),
      blockers: await blockersOf(
        ctx,
        questions,
        roundReports.flatMap((round) => round.answers),
      ),
      missing: await missingPeople(ctx, row, from, to),
      next_cursor: page.next_cursor,
      has_more: page.has_more,
    })
  },
})

function roundsIn(
  ctx: ReadContext,
  row: PulseRow,
  from: string | undefined,
  to: string | undefined,
) {
  let query = pulseRound.of(ctx, [row.id])
  if (from !== undefined) query = query.where('pulse_rounds.occurrence_on', '>=', from)
  if (to !== undefined) query = query.where('pulse_rounds.occurrence_on', '<=', to)
  return query
}

/** A round as shown in the report. */
interface RoundReport {
  round: Report['rounds'][number]
  answers: Response[]
}

async function reportRound(
  ctx: ReadContext,
  row: PulseRow,
  questions: readonly PulseQuestion[],
  round: RoundRow,
): Promise<RoundReport> {
  const { answered, expected } =
    round.closed_at === null
      ? await roundStatus(ctx, row, round)
      : { answered: round.answered, expected: round.expected ?? round.answered }
  const withheld = row.anonymous === 1 ? withheldReason(round) : undefined
  const answers =
    row.anonymous === 1 ? anonymousAnswers(row, round) : await namedAnswers(ctx, row, round)
  const presented = omitNullish({
    on: round.occurrence_on,
    opened_at: iso(round.opened_at),
    closed_at: round.closed_at === null ? undefined : iso(round.closed_at),
    answered,
    expected,
    scores: scoresIn(questions, round, answers),
    withheld,
    ...(await meetingOfRound(ctx, round)),
  })
  return { round: presented, answers }
}

function withheldReason({ closed_at, answered }: RoundRow): string | undefined {
  if (closed_at === null)
    return 'The round is still open; anonymous answers are shown once it is closed.'
  return answered < minShownAnswers
    ? `Fewer than ${minShownAnswers} people answered, so their answers were not kept.`
    : undefined
}

function scoresIn(
  questions: readonly PulseQuestion[],
  { closed_at, scores_json }: RoundRow,
  answers: readonly Response[],
): Scores {
  if (closed_at !== null) return scores_json === null ? {} : (JSON.parse(scores_json) as Scores)
  return scoresOf(questions, answersByQuestion(answers.map((answer) => answer.answers)))
}

/** Each answer separately: a person's answers to different questions are not linked. */
function anonymousAnswers(row: PulseRow, round: RoundRow): Response[] {
  const bags =
    round.answers_json === null ? {} : (JSON.parse(round.answers_json) as AnswersByQuestion)
  return Object.entries(bags).flatMap(([id, bag]) =>
    bag.map((pulseAnswer) => ({
      pulse: pulseRef(row),
      occurrence_on: round.occurrence_on,
      answers: { [id]: pulseAnswer },
    })),
  )
}

/** Answers with their respondents, sorted by name. */
async function namedAnswers(ctx: ReadContext, row: PulseRow, round: RoundRow): Promise<Response[]> {
  const storedResponses =
    round.closed_at === null
      ? (await responsesOf(ctx, round)).map(toStoredResponse)
      : (JSON.parse(round.answers_json ?? '[]') as StoredResponse[])
  const people = await peopleRefs(
    ctx,
    storedResponses.map((keptResponse) => keptResponse.person_id),
  )
  const presented = storedResponses.map(({ person_id, answers, ...stored }) => {
    const person = people.get(person_id)
    return omitNullish({
      ...commonOf({ ...stored, created_by: person_id }, pulse.url(row, ctx.baseUrl), people),
      pulse: pulseRef(row),
      occurrence_on: round.occurrence_on,
      person,
      answers,
    })
  })
  return presented.sort(
    (a, b) =>
      (a.person?.title ?? '').localeCompare(b.person?.title ?? '') || (a.id < b.id ? -1 : 1),
  )
}

function toStoredResponse({
  created_by,
  answers_json,
  ...stored
}: Awaited<ReturnType<typeof responsesOf>>[number]): StoredResponse {
  const { id, revision, created_at, updated_at, created_via } = stored
  return {
    id,
    revision,
    created_at,
    updated_at,
    created_via,
    person_id: created_by,
    answers: JSON.parse(answers_json) as Answers,
  }
}

/** Scores of the newest rounds in the period, independent of the requested page. */
async function trendRounds(
  ctx: ReadContext,
  row: PulseRow,
  questions: readonly PulseQuestion[],
  from: string | undefined,
  to: string | undefined,
): Promise<{ on: string; scores: Scores }[]> {
  const rounds = await roundsIn(ctx, row, from, to)
    .select([
      'pulse_rounds.pulse_id',
      'pulse_rounds.occurrence_on',
      'pulse_rounds.closed_at',
      'pulse_rounds.scores_json',
    ])
    .orderBy('pulse_rounds.occurrence_on', 'desc')
    .limit(maxTrendRounds)
    .execute()
  return Promise.all(
    rounds.map(async (round) => {
      if (round.closed_at !== null)
        return {
          on: round.occurrence_on,
          scores: round.scores_json === null ? {} : (JSON.parse(round.scores_json) as Scores),
        }
      const answers =
        row.anonymous === 1
          ? []
          : (await responsesOf(ctx, round)).map(
              (response) => JSON.parse(response.answers_json) as Answers,
            )
      return { on: round.occurrence_on, scores: scoresOf(questions, answersByQuestion(answers)) }
    }),
  )
}

/** Blockers from the answers, with the tasks they mention, as far as the reader can see those. */
async function blockersOf(
  ctx: ReadContext,
  questions: readonly PulseQuestion[],
  answers: readonly Response[],
): Promise<Report['blockers']> {
  const blockerQuestions = questions.filter(asksForBlockers)
  const blockers = answers.flatMap(({ occurrence_on, person, answers }) =>
    blockerQuestions.flatMap((question) => {
      const text = Object.hasOwn(answers, question.id)
        ? blockerOf(question, answers[question.id] as PulseAnswer)
        : undefined
      return text === undefined ? [] : [omitNullish({ on: occurrence_on, text, person })]
    }),
  )
  const tasks = await tasksByKey(
    ctx,
    blockers.map((item) => item.text),
  )
  return blockers.map((item) => {
    const [first, ...more] = taskKeysIn(item.text).flatMap((key) => tasks.get(key) ?? [])
    return omitNullish({
      ...item,
      task: first,
      more_tasks: more.length > 0 ? more : undefined,
    })
  })
}

async function tasksByKey(ctx: ReadContext, texts: readonly string[]): Promise<Map<string, Ref>> {
  const keys = [...new Set(texts.flatMap(taskKeysIn))].slice(0, maxTasks)
  if (keys.length === 0) return new Map()
  const rows = await task
    .visibleTo(ctx)
    .select(['tasks.id', 'tasks.key', 'tasks.title'])
    .where('tasks.org_id', '=', ctx.actor.org_id)
    .where('tasks.key', 'in', keys)
    .execute()
  return new Map(rows.map((row) => [row.key, { id: row.id, title: row.title, key: row.key }]))
}

/**
 * People who have not answered the newest round of the period. Empty for an anonymous pulse: names would reveal who
 * answered.
 */
async function missingPeople(
  ctx: ReadContext,
  row: PulseRow,
  from: string | undefined,
  to: string | undefined,
): Promise<Ref[]> {
  if (row.anonymous === 1) return []
  const newest = await roundsIn(ctx, row, from, to)
    .selectAll('pulse_rounds')
    .orderBy('pulse_rounds.occurrence_on', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest) return []
  const ids =
    newest.closed_at === null
      ? (await roundStatus(ctx, row, newest)).missing
      : (JSON.parse(newest.missing_json ?? '[]') as string[])
  const people = await peopleRefs(ctx, ids)
  return [...people.values()].sort((a, b) => a.title.localeCompare(b.title))
}
