import { z } from 'zod'
import { invalid } from '../../../kernel/refusal.ts'
import { questionTypes, type PulseQuestion } from './question-shapes.ts'

const option = z.string().min(1).max(200).regex(/\S/, 'must not be blank')

/** A question as callers send it; its id is optional. */
export const questionInput = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be 1 to 40 letters, digits, _ or -')
    .refine((id) => !(id in {}), 'cannot be an id')
    .optional()
    .describe('id used in answers; default: q1, q2, …'),
  text: z.string().min(1).max(1000).regex(/\S/, 'must not be blank'),
  type: z.enum(questionTypes),
  options: z.array(option).min(2).max(20).optional().describe('of a choice'),
  min: z.int().min(0).max(10).optional().describe('of a scale; default 1'),
  max: z.int().min(1).max(10).optional().describe('of a scale; default 5'),
  blocker: z
    .boolean()
    .optional()
    .describe('its answers are listed as blockers; default: by its wording'),
})

/**
 * Questions in stored form, each with an id.
 * @throws Refusal invalid_argument naming the inconsistent question
 */
export function questionsFrom(
  questionInputs: readonly z.infer<typeof questionInput>[],
): PulseQuestion[] {
  const takenIds = new Set(questionInputs.flatMap((item) => item.id ?? []))
  let n = 0
  const nextUnusedId = () => {
    do n++
    while (takenIds.has(`q${n}`))
    return `q${n}`
  }
  const questions = questionInputs.map(({ id, text, ...rest }, i) =>
    checkQuestion(
      { id: id ?? nextUnusedId(), text: text.trim(), ...withoutUndefined(rest) } as PulseQuestion,
      `questions[${i}]`,
    ),
  )
  const duplicateIndex = questions.findIndex(
    (question, i) =>
      questions.findIndex((other) => other.id.toLowerCase() === question.id.toLowerCase()) < i,
  )
  if (duplicateIndex >= 0)
    throw invalid(
      `questions[${duplicateIndex}].id`,
      `"${questions[duplicateIndex]!.id}" is used as the id of two questions.`,
      'Give each its own id, or omit ids.',
    )
  return questions
}

function checkQuestion(question: PulseQuestion, field: string): PulseQuestion {
  const { type, options, min = 1, max = 5 } = question
  if (type === 'choice' && !options)
    throw invalid(
      `${field}.options`,
      'a choice needs at least two options.',
      'Send {"type": "choice", "options": ["…", "…"]}.',
    )
  if (type !== 'choice' && options)
    throw invalid(
      `${field}.options`,
      `only a choice has options, not ${type}.`,
      'Omit them, or make it a choice.',
    )
  if (options && new Set(options.map((name) => name.trim().toLowerCase())).size < options.length)
    throw invalid(`${field}.options`, 'two options are the same.', 'Give each once.')
  if (type !== 'scale' && (question.min !== undefined || question.max !== undefined))
    throw invalid(
      `${field}.min`,
      `only a scale has min and max, not ${type}.`,
      'Omit them, or make it a scale.',
    )
  if (min >= max)
    throw invalid(
      `${field}.max`,
      `the scale from ${min} to ${max} has no steps.`,
      'Use a max greater than min.',
    )
  return options ? { ...question, options: options.map((name) => name.trim()) } : question
}

function withoutUndefined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<T>
}
