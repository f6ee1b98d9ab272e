import { randomInt } from 'node:crypto'
import { valuesByItemId } from '../../../kernel/keyed-items.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { PulseQuestion } from './question-shapes.ts'

export type PulseAnswer = string | number | boolean
/** Answers of one person, by question. */
export type Answers = Record<string, PulseAnswer>
/** Answers to each question, detached from the people who gave them. */
export type AnswersByQuestion = Record<string, PulseAnswer[]>

/** Minimum number of answers of an anonymous round that may be shown. */
export const minShownAnswers = 4
const maxTextLength = 4000

/**
 * Answers in stored form, in question order, without null and blank ones.
 * @throws Refusal invalid_argument naming the question
 */
export function readAnswers(
  questions: readonly PulseQuestion[],
  sent: Record<string, unknown>,
): Answers {
  const answersById = valuesByItemId(
    sent,
    questions.map((question) => ({ id: question.id, name: question.text })),
    'answers',
  )
  const unknown = Object.keys(answersById).find(
    (id) => !questions.some((question) => question.id === id),
  )
  if (unknown !== undefined)
    throw invalid(
      `answers.${unknown.slice(0, 60)}`,
      'unknown question of this pulse.',
      `Its questions: ${questions.map((question) => `${question.id} (${question.type}): ${question.text}`).join('; ')}.`,
    )
  const answers = Object.fromEntries(
    questions.flatMap((question) =>
      isAnswered(answersById[question.id])
        ? [[question.id, readPulseAnswer(question, answersById[question.id])]]
        : [],
    ),
  )
  if (Object.keys(answers).length === 0)
    throw invalid('answers', 'answer at least one question.', `Send {"${questions[0]!.id}": …}.`)
  return answers
}

function isAnswered(value: unknown): boolean {
  return value !== undefined && value !== null && (typeof value !== 'string' || value.trim() !== '')
}

function readPulseAnswer(question: PulseQuestion, value: unknown): PulseAnswer {
  const answer = readers[question.type](question, value)
  if (answer === undefined)
    throw invalid(
      `answers.${question.id}`,
      `is not a valid answer to "${question.text}".`,
      `Send ${expectedAnswer(question)}.`,
    )
  return answer
}

const readers: Record<
  PulseQuestion['type'],
  (question: PulseQuestion, value: unknown) => PulseAnswer | undefined
> = {
  text: (_, value) =>
    typeof value === 'string' && value.length <= maxTextLength ? value : undefined,
  scale: ({ min = 1, max = 5 }, value) => {
    const number =
      typeof value === 'string' && /^\d{1,3}$/.test(value.trim()) ? Number(value) : value
    return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max
      ? number
      : undefined
  },
  choice: ({ options = [] }, value) =>
    options.find(
      (option) => typeof value === 'string' && option.toLowerCase() === value.trim().toLowerCase(),
    ),
  yes_no: (_, value) => {
    if (typeof value === 'boolean') return value
    return typeof value === 'string' ? yesOrNo.get(value.trim().toLowerCase()) : undefined
  },
}

const yesOrNo = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
])

function expectedAnswer({ type, min = 1, max = 5, options = [] }: PulseQuestion): string {
  if (type === 'text') return `a text of at most ${maxTextLength} characters`
  if (type === 'scale') return `a whole number from ${min} to ${max}`
  return type === 'choice' ? `one of: ${options.join(', ')}` : 'true or false'
}

/**
 * Collects the answers of several people by question, in random order: nothing reveals which answers have the same
 * author, who that was, or when they were given.
 */
export function shuffledByQuestion(ballots: readonly Answers[]): AnswersByQuestion {
  const ids = new Set(ballots.flatMap((ballot) => Object.keys(ballot)))
  return Object.fromEntries(
    [...ids]
      .sort()
      .map((id) => [
        id,
        shuffle(ballots.flatMap((ballot) => (Object.hasOwn(ballot, id) ? [ballot[id]!] : []))),
      ]),
  )
}

function shuffle<T>(list: readonly T[]): T[] {
  const out = [...list]
  for (let i = out.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[out[i], out[j]] = [out[j]!, out[i]!]
  }
  return out
}

/** Collects the answers of several people by question, in the given order. */
export function answersByQuestion(ballots: readonly Answers[]): AnswersByQuestion {
  const byQuestion: AnswersByQuestion = {}
  for (const ballot of ballots)
    for (const [id, answer] of Object.entries(ballot)) (byQuestion[id] ??= []).push(answer)
  return byQuestion
}
