import type { Input } from '../../../api/client.ts'
import { pulseTexts } from '../../../texts/en/company/pulses.ts'
import { nonEmptyLines } from '../../../ui/work/lines.ts'
import type { PulseData } from './data.ts'

type Question = PulseData['questions'][number]
type QuestionInput = Input<'create_pulse'>['questions'][number]

export type QuestionType = Question['type']

/** A question being edited. */
export interface QuestionDraft {
  /** React key for the list. */
  key: string
  /** The original question; undefined for a new one. */
  original: Question | undefined
  text: string
  type: QuestionType
  /** One a line. */
  options: string
  min: string
  max: string
  isBlocker: boolean
}

let keyCount = 0

export const newQuestion = (text = ''): QuestionDraft => ({
  key: String(keyCount++),
  original: undefined,
  text,
  type: 'text',
  options: '',
  min: '1',
  max: '5',
  isBlocker: false,
})

/** Initial questions of a new pulse: a stand-up, whose last question is about blockers. */
export const firstQuestions = (): QuestionDraft[] =>
  pulseTexts.first.map((text, n, all) => ({
    ...newQuestion(text),
    isBlocker: n === all.length - 1,
  }))

/** The questions of a pulse for editing. */
export const questionDrafts = (questions: readonly Question[]): QuestionDraft[] =>
  questions.map((question) => ({
    ...newQuestion(question.text),
    original: question,
    type: question.type,
    options: question.options?.join('\n') ?? '',
    min: String(question.min ?? 1),
    max: String(question.max ?? 5),
    isBlocker: question.blocker ?? false,
  }))

/** True if existing answers fit the edited question. */
function isComparable({ original, type, options, min, max }: QuestionDraft): boolean {
  if (!original || original.type !== type) return false
  if (type === 'choice')
    return (original.options ?? []).join('\n') === nonEmptyLines(options).join('\n')
  if (type === 'scale')
    return Number(min) === (original.min ?? 1) && Number(max) === (original.max ?? 5)
  return true
}

/**
 * The questions as server arguments: a question with a different meaning gets a new id, so that answers stay
 * comparable.
 */
export function questionInputs(drafts: readonly QuestionDraft[]): QuestionInput[] {
  const usedIds = new Set(drafts.flatMap(({ original }) => original?.id ?? []))
  let n = 0
  const nextFreeId = () => {
    do n++
    while (usedIds.has(`q${n}`))
    return `q${n}`
  }
  return drafts.map((draft) => {
    const { original, text, type, options, min, max, isBlocker } = draft
    return {
      id: original && isComparable(draft) ? original.id : nextFreeId(),
      text: text.trim(),
      type,
      ...(type === 'choice' && { options: nonEmptyLines(options) }),
      ...(type === 'scale' && { min: Number(min), max: Number(max) }),
      ...(isBlockerUnset(draft) ? {} : { blocker: isBlocker }),
    }
  })
}

/** True if it was never set whether answers are blockers: the wording of the question decides, as before. */
const isBlockerUnset = ({ original, isBlocker }: QuestionDraft) =>
  original !== undefined && original.blocker === undefined && !isBlocker

/** True if the questions can be saved. */
export const areComplete = (drafts: readonly QuestionDraft[]): boolean =>
  drafts.length > 0 &&
  drafts.every(
    ({ text, type, options, min, max }) =>
      text.trim() !== '' &&
      (type !== 'choice' || nonEmptyLines(options).length > 1) &&
      (type !== 'scale' || Number(min) < Number(max)),
  )
