import { pulseTexts as words } from '../../../texts/en/company/pulses.ts'
import type { PulseQuestionData } from './data.ts'

type AnswerValue = string | number | boolean

/** Converts stored answers to the string values of form fields. */
export const formAnswers = (answers: Readonly<Record<string, AnswerValue>>) =>
  Object.fromEntries(Object.entries(answers).map(([id, value]) => [id, String(value)]))

/** Converts the form to the server's input, without blank values and removed questions. */
export function parseAnswers(
  questions: readonly PulseQuestionData[],
  formValues: Readonly<Record<string, string>>,
): Record<string, AnswerValue> {
  return Object.fromEntries(
    questions
      .filter(({ id }) => (formValues[id] ?? '').trim() !== '')
      .map(({ id, type }) => [id, parseAnswer(type, formValues[id] ?? '')]),
  )
}

function parseAnswer(type: PulseQuestionData['type'], value: string): AnswerValue {
  if (type === 'scale') return Number(value)
  if (type === 'yes_no') return value === 'true'
  return value
}

/** True if any field is filled in. */
export const hasAnswers = (
  questions: readonly PulseQuestionData[],
  formValues: Readonly<Record<string, string>>,
) => Object.keys(parseAnswers(questions, formValues)).length > 0

/** Possible answers to a question that is not free text. */
export function answerChoices({ type, options = [], min = 1, max = 5 }: PulseQuestionData) {
  if (type === 'choice') return options.map((option) => ({ value: option, label: option }))
  if (type === 'yes_no')
    return [
      { value: 'true', label: words.yes },
      { value: 'false', label: words.no },
    ]
  return Array.from({ length: max - min + 1 }, (_, n) => ({
    value: String(min + n),
    label: String(min + n),
  }))
}

/** Formats an answer for display. */
export function formatAnswer(value: AnswerValue): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no
  return String(value)
}
