import type { Input } from '../../../api/client.ts'
import { pulseTexts } from '../../../texts/en/company/pulses.ts'
import { filledLines } from '../../../ui/work/lines.ts'
import type { PulseData } from './data.ts'

type Question = PulseData['questions'][number]
type SentQuestion = Input<'create_pulse'>['questions'][number]

export type QuestionType = Question['type']

/** A question being edited. */
export interface QuestionDraft {
  /** React key for the list. */
  key: string
  /** The original question; undefined for a new one. */
  was: Question | undefined
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
  was: undefined,
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
    was: question,
    type: question.type,
    options: question.options?.join('\n') ?? '',
    min: String(question.min ?? 1),
    max: String(question.max ?? 5),
    isBlocker: question.blocker ?? false,
  }))

/** True if existing answers fit the edited question. */
function isComparable({ was, type, options, min, max }: QuestionDraft): boolean {
  if (!was || was.type !== type) return false
  if (type === 'choice') return (was.options ?? []).join('\n') === filledLines(options).join('\n')
  if (type === 'scale') return Number(min) === (was.min ?? 1) && Number(max) === (was.max ?? 5)
  return true
}

/**
 * The questions as server arguments: a question with a different meaning gets a new id, so that answers stay
 * comparable.
 */
export function sentQuestions(drafts: readonly QuestionDraft[]): SentQuestion[] {
  const usedIds = new Set(drafts.flatMap(({ was }) => was?.id ?? []))
  let n = 0
  const freshId = () => {
    do n++
    while (usedIds.has(`q${n}`))
    return `q${n}`
  }
  return drafts.map((draft) => {
    const { was, text, type, options, min, max, isBlocker } = draft
    return {
      id: was && isComparable(draft) ? was.id : freshId(),
      text: text.trim(),
      type,
      ...(type === 'choice' && { options: filledLines(options) }),
      ...(type === 'scale' && { min: Number(min), max: Number(max) }),
      ...(isLeftToWording(draft) ? {} : { blocker: isBlocker }),
    }
  })
}

/** True if it was never set whether answers are blockers: the wording of the question decides, as before. */
const isLeftToWording = ({ was, isBlocker }: QuestionDraft) =>
  was !== undefined && was.blocker === undefined && !isBlocker

/** True if the questions can be saved. */
export const areComplete = (drafts: readonly QuestionDraft[]): boolean =>
  drafts.length > 0 &&
  drafts.every(
    ({ text, type, options, min, max }) =>
      text.trim() !== '' &&
      (type !== 'choice' || filledLines(options).length > 1) &&
      (type !== 'scale' || Number(min) < Number(max)),
  )
