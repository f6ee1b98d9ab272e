import type { WriteContext } from '../../../operations/context.ts'
import {
  activeMembers,
  changeRound,
  takeResponses,
  type PulseRow,
  type RoundRow,
} from './access.ts'
import { bagsOf, fewest, mixed, type Answers, type Bags } from './answers.ts'
import { forgetBallots, sealedBallots } from './ballots.ts'
import { scoresOf } from './scores.ts'
import { questionsOf } from './shapes.ts'

/** A closed round's answer, as stored with it. */
export interface KeptResponse {
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
  const expected = new Set<string>(members).union(roundAnswers.by)
  await changeRound(ctx, round, {
    closed_at: ctx.now,
    answered: roundAnswers.by.size,
    expected: expected.size,
    missing_json:
      row.anonymous === 1 ? null : JSON.stringify([...expected.difference(roundAnswers.by)].sort()),
    answers_json: roundAnswers.kept === undefined ? null : JSON.stringify(roundAnswers.kept),
    scores_json:
      roundAnswers.bags === undefined
        ? null
        : JSON.stringify(scoresOf(questionsOf(row), roundAnswers.bags)),
  })
  ctx.event('pulse.round_closed', 'pulses', row)
}

interface RoundAnswers {
  by: Set<string>
  kept: Bags | KeptResponse[] | undefined
  bags: Bags | undefined
}

async function namedAnswers(ctx: WriteContext, round: RoundRow): Promise<RoundAnswers> {
  const rows = await takeResponses(ctx, round)
  const storedResponses = rows.map(
    ({
      id,
      created_by,
      answers_json,
      revision,
      created_at,
      updated_at,
      created_via,
    }): KeptResponse => ({
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
    by: new Set(rows.map((row) => row.created_by)),
    kept: storedResponses,
    bags: bagsOf(storedResponses.map((keptResponse) => keptResponse.answers)),
  }
}

/** Too few answers to be shown are not stored either. */
async function anonymousAnswers(
  ctx: WriteContext,
  row: PulseRow,
  round: RoundRow,
): Promise<RoundAnswers> {
  const ballots = await sealedBallots(ctx, row, round)
  await forgetBallots(ctx, row, round)
  const by = new Set(Object.keys(ballots))
  const bags = by.size < fewest ? undefined : mixed(Object.values(ballots))
  return { by, kept: bags, bags }
}
