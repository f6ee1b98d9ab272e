import type { WriteContext } from '../../../operations/context.ts'
import { date, freeObject, typeOnlyInLog } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { iso, localIso } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import {
  changeRound,
  pulse,
  pulseResponse,
  pulseRound,
  type PulseRow,
  type RoundRow,
} from './access.ts'
import { readAnswers, type Answers } from './answers.ts'
import { readBallots, sealBallots } from './ballots.ts'
import { openRoundOf, pulseRef, PulseResponse, questionsOf, presentResponse } from './shapes.ts'

export const submitPulseResponse = operation({
  name: 'submit_pulse_response',
  searchHint: 'answer the standup, fill in my check-in, post my standup',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/pulses/{pulse_id}/responses/me',
  about: 'Submit or change your answers in the current round',
  on: { pulse: pulse.see },
  input: {
    answers: typeOnlyInLog(freeObject()).describe(
      'by id or text of the question: a text, a number of the scale, one of the options, or true or false; they replace all your earlier answers in this round',
    ),
    occurrence_on: date().optional().describe('day of the round, which must be the open one'),
  },
  output: PulseResponse,
  undoCaveat:
    'Answers to an anonymous pulse are stored without names, so the call cannot be undone; while the round is open, change your answers with submit_pulse_response.',
  async handle({ pulse: row, answers: answersInput, occurrence_on }, ctx) {
    const answers = readAnswers(questionsOf(row), answersInput)
    const round = await requireOpenRound(ctx, row, occurrence_on)
    return row.anonymous === 1
      ? putBallot(ctx, row, round, answers)
      : putResponse(ctx, row, round, answers)
  },
})

async function requireOpenRound(
  ctx: WriteContext,
  row: PulseRow,
  on: string | undefined,
): Promise<RoundRow> {
  const openRound = await openRoundOf(ctx, row)
  if (openRound && (on === undefined || on === openRound.occurrence_on)) return openRound
  const next =
    row.next_at === null
      ? 'No more rounds will open.'
      : `The next round opens on ${row.next_on} (${localIso(row.next_at, row.timezone)}).`
  const hint = openRound ? `The open round is that of ${openRound.occurrence_on}.` : next
  if (on === undefined) throw new Refusal('conflict', 'No round of this pulse is open.', next)
  const round = await pulseRound
    .of(ctx, [row.id])
    .select('pulse_rounds.closed_at')
    .where('pulse_rounds.occurrence_on', '=', on)
    .executeTakeFirst()
  if (round?.closed_at != null)
    throw new Refusal(
      'conflict',
      `The round of ${on} was closed at ${iso(round.closed_at)}; its answers are final.`,
      { field: 'occurrence_on', hint },
    )
  throw invalid('occurrence_on', `this pulse has no round on ${on}.`, hint)
}

async function putResponse(ctx: WriteContext, row: PulseRow, round: RoundRow, answers: Answers) {
  const answers_json = JSON.stringify(answers)
  const before = await pulseResponse
    .of(ctx, [row.id])
    .selectAll('pulse_responses')
    .where('pulse_responses.occurrence_on', '=', round.occurrence_on)
    .where('pulse_responses.created_by', '=', ctx.actor.id)
    .executeTakeFirst()
  const response = before
    ? await ctx.change('pulse_responses', before, { answers_json })
    : await ctx.add('pulse_responses', {
        pulse_id: row.id,
        occurrence_on: round.occurrence_on,
        answers_json,
      })
  return presentResponse(ctx, row, response, await peopleRefs(ctx, [ctx.actor.id]))
}

/**
 * Records no change, because its person, time and order would reveal who gave which answers.
 * Only the number of answers is known.
 */
async function putBallot(ctx: WriteContext, row: PulseRow, round: RoundRow, answers: Answers) {
  const ballots = await readBallots(ctx, row, round)
  ballots[ctx.actor.id] = answers
  await sealBallots(ctx, row, round, ballots)
  await changeRound(ctx, round, { answered: Object.keys(ballots).length })
  return { pulse: pulseRef(row), occurrence_on: round.occurrence_on, answers }
}
