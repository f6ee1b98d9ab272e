import { omitNullish } from '../../../kernel/present.ts'
import type { PulseAnswer, AnswersByQuestion } from './answers.ts'
import type { PulseQuestion, Score, Trend } from './question-shapes.ts'

/** The scores of one round, by question id. */
export type Scores = Record<string, Score>

/** Scores of the questions that have answers. */
export function scoresOf(
  questions: readonly PulseQuestion[],
  byQuestion: AnswersByQuestion,
): Scores {
  return Object.fromEntries(
    questions.flatMap((question) =>
      byQuestion[question.id]?.length
        ? [[question.id, scoreOf(question, byQuestion[question.id]!)]]
        : [],
    ),
  )
}

function scoreOf({ type, options = [] }: PulseQuestion, answers: readonly PulseAnswer[]): Score {
  const answered = answers.length
  if (type === 'scale')
    return {
      answered,
      average: roundScore(
        answers.reduce<number>((sum, answer) => sum + Number(answer), 0) / answered,
      ),
    }
  if (type === 'yes_no')
    return {
      answered,
      yes_share: roundScore(answers.filter((answer) => answer === true).length / answered),
    }
  if (type === 'choice')
    return {
      answered,
      counts: Object.fromEntries(
        options.map((option) => [option, answers.filter((answer) => answer === option).length]),
      ),
    }
  return { answered }
}

/** Scores of each question from the oldest round to the newest; text questions have none. */
export function trendsOf(
  questions: readonly PulseQuestion[],
  rounds: readonly { on: string; scores: Scores }[],
): Record<string, Trend> {
  const oldestFirst = [...rounds].sort((a, b) => (a.on < b.on ? -1 : 1))
  return Object.fromEntries(
    questions
      .filter((question) => question.type !== 'text')
      .map(({ id, text, type }) => {
        const points = oldestFirst.flatMap(({ on, scores }) =>
          scores[id] ? [{ on, ...scores[id] }] : [],
        )
        const figures = points.flatMap((point) => point.average ?? point.yes_share ?? [])
        return [
          id,
          omitNullish({
            text,
            type,
            points,
            change: figures.length > 1 ? roundScore(figures.at(-1)! - figures.at(-2)!) : undefined,
          }),
        ]
      }),
  )
}

/** Rounds to two decimals. */
function roundScore(figure: number): number {
  return Math.round(figure * 100) / 100
}

/** Share of expected people who answered, over several rounds. */
export function rateOf(rounds: readonly { answered: number; expected: number }[]): number {
  const expected = rounds.reduce((sum, round) => sum + round.expected, 0)
  return expected === 0
    ? 0
    : roundScore(Math.min(1, rounds.reduce((sum, round) => sum + round.answered, 0) / expected))
}

/** Answers that mean there is no blocker. */
const noBlocker =
  /^(no(ne|pe|thing)?|n\/?a|nil|nothing( at all| right now)?|no (blockers?|impediments?)|all (good|clear|fine)|keine?|nichts|[-–—.\s]*)[.!]*$/i

/** Whether a question asks for blockers, by its flag or text. */
export function asksForBlockers({ blocker, id, text }: PulseQuestion): boolean {
  return (
    blocker ??
    /\bblock(ed|ers?|ing|s)?\b|\bimpediments?\b/i.test(`${id.replaceAll(/[_-]/g, ' ')} ${text}`)
  )
}

/** The blocker that an answer reports; undefined if there is none. */
export function blockerOf(question: PulseQuestion, answer: PulseAnswer): string | undefined {
  if (answer === true) return question.text
  return typeof answer === 'string' && question.type === 'text' && !noBlocker.test(answer.trim())
    ? answer
    : undefined
}

/** Distinct task keys in a text, at most ten. */
export function taskKeysIn(text: string): string[] {
  return [
    ...new Set(
      [...text.matchAll(/(?<![\w-])[A-Za-z][A-Za-z0-9]{0,9}-\d{1,9}(?![\w-])/g)].map(([key]) =>
        key.toUpperCase(),
      ),
    ),
  ].slice(0, 10)
}
