// Answers to an anonymous pulse while its round is open: sealed in a single text, so that the database without the
// master key reveals neither the answers nor their order, while people can still change theirs. Closing deletes the
// link to people.
import type { WriteContext } from '../../../operations/context.ts'
import type { PulseRow, RoundRow } from './access.ts'
import type { Answers } from './answers.ts'

/** Answers by person id. */
export type Ballots = Record<string, Answers>

const ballotSecretName = ({ occurrence_on }: RoundRow) => `ballots ${occurrence_on}`

export async function readBallots(
  ctx: WriteContext,
  pulse: PulseRow,
  round: RoundRow,
): Promise<Ballots> {
  const text = await ctx.secrets.read('pulses', pulse, ballotSecretName(round))
  return text === undefined ? {} : (JSON.parse(text) as Ballots)
}

/** Stores the ballots sorted by id, not in the order of answering. @throws Refusal unavailable without a master key */
export function sealBallots(
  ctx: WriteContext,
  pulseRow: PulseRow,
  round: RoundRow,
  ballots: Ballots,
): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(ballots).sort(([a], [b]) => (a < b ? -1 : 1)))
  return ctx.secrets.put('pulses', pulseRow, ballotSecretName(round), JSON.stringify(sorted))
}

export function deleteBallots(ctx: WriteContext, pulse: PulseRow, round: RoundRow): Promise<void> {
  return ctx.secrets.drop('pulses', pulse, ballotSecretName(round))
}
