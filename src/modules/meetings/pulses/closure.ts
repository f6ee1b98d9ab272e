import type { WriteContext } from '../../../operations/context.ts'
import {
  activeMembers,
  changeRound,
  removeResponses,
  type PulseRow,
  type RoundRow,
} from './access.ts'
import {
  answersByQuestion,
  minShownAnswers,
  shuffledByQuestion,
  type Answers,
  type AnswersByQuestion,
} from './answers.ts'
import { deleteBallots, readBallots } from './ballots.ts'
import { scoresOf } from './scores.ts'
import { questionsOf } from './shapes.ts'

/** A closed round's answer, as stored with it. */
export interface StoredResponse {
  id: string
  person_id: string
  answers: Answers
  revision: number
  created_at: number
  updated_at: number
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

/** Closes a round: its answers are final, and those of an anonymous pulse can no longer be attributed. */
export async function closeRound(ctx: WriteContext, row: PulseRow, round: RoundRow): Promise<void> {
  const members = await activeMembers(ctx, row.team_id)
  const roundAnswers =
    row.anonymous === 1 ? await anonymousAnswers(ctx, row, round) : await namedAnswers(ctx, round)
  const expected = new Set<string>(members).union(roundAnswers.respondents)
  await changeRound(ctx, round, {
    closed_at: ctx.now,
    answered: roundAnswers.respondents.size,
    expected: expected.size,
    missing_json:
      row.anonymous === 1
        ? null
        : JSON.stringify([...expected.difference(roundAnswers.respondents)].sort()),
    answers_json: roundAnswers.stored === undefined ? null : JSON.stringify(roundAnswers.stored),
    scores_json:
      roundAnswers.byQuestion === undefined
        ? null
        : JSON.stringify(scoresOf(questionsOf(row), roundAnswers.byQuestion)),
  })
  ctx.event('pulse.round_closed', 'pulses', row)
}

interface RoundAnswers {
  respondents: Set<string>
  stored: AnswersByQuestion | StoredResponse[] | undefined
  byQuestion: AnswersByQuestion | undefined
}

async function namedAnswers(ctx: WriteContext, round: RoundRow): Promise<RoundAnswers> {
  const rows = await removeResponses(ctx, round)
  const storedResponses = rows.map(
    ({
      id,
      created_by,
      answers_json,
      revision,
      created_at,
      updated_at,
      created_via,
    }): StoredResponse => ({
      id,
      person_id: created_by,
      answers: JSON.parse(answers_json) as Answers,
      revision,
      created_at,
      updated_at,
      created_via,
    }),
  )
  return {
    respondents: new Set(rows.map((row) => row.created_by)),
    stored: storedResponses,
    byQuestion: answersByQuestion(storedResponses.map((keptResponse) => keptResponse.answers)),
  }
}

/** Answers without names; if there are too few to be shown, they are not stored either. */
async function anonymousAnswers(
  ctx: WriteContext,
  row: PulseRow,
  round: RoundRow,
): Promise<RoundAnswers> {
  const ballots = await readBallots(ctx, row, round)
  await deleteBallots(ctx, row, round)
  const respondents = new Set(Object.keys(ballots))
  const byQuestion =
    respondents.size < minShownAnswers ? undefined : shuffledByQuestion(Object.values(ballots))
  return { respondents, stored: byQuestion, byQuestion }
}
