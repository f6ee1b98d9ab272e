import type { Input, Output } from '../../../api/client.ts'
import { nonEmptyLines } from '../../../ui/work/lines.ts'

export type FullForm = Output<'get_form'>
export type FormField = FullForm['fields'][number]
export type FieldType = FormField['type']
export type FieldInput = Input<'create_form'>['fields'][number]
type Condition = NonNullable<FormField['show_if']>

export const formFieldTypes: readonly FieldType[] = [
  'short_text',
  'long_text',
  'number',
  'email',
  'phone',
  'date',
  'select',
  'multi_select',
  'rating',
  'nps',
  'file',
  'yes_no',
]

/** A question being edited. */
export interface FieldDraft {
  /** React key for the list. */
  key: string
  /** Undefined until saved. */
  id: string | undefined
  label: string
  help: string
  type: FieldType
  required: boolean
  /** One a line. */
  options: string
  min: string
  max: string
  showIf: Condition | undefined
}

/** A column of the answers: a current question, a removed one, or one that only these answers have. */
export type AnswerColumn = Pick<FormField, 'id' | 'label' | 'options'> & { isRemoved: boolean }

/** Columns of all questions ever asked, as far as known: the current ones in order, followed by retired ones. */
export function answerColumns(
  { fields, retired_fields: retired = [] }: Pick<FullForm, 'fields' | 'retired_fields'>,
  answers: readonly { answers: readonly { field_id: string; label: string }[] }[],
): AnswerColumn[] {
  const columns = new Map<string, AnswerColumn>()
  for (const field of fields) columns.set(field.id, { ...field, isRemoved: false })
  const retiredQuestions = answers
    .flatMap((item) => item.answers)
    .map(({ field_id: id, label }) => ({ id, label }))
  for (const field of [...retired, ...retiredQuestions])
    if (!columns.has(field.id)) columns.set(field.id, { ...field, isRemoved: true })
  return [...columns.values()]
}

let keyCount = 0
const nextKey = () => String(keyCount++)

export const newField = (label: string): FieldDraft => ({
  key: nextKey(),
  id: undefined,
  label,
  help: '',
  type: 'short_text',
  required: false,
  options: '',
  min: '',
  max: '',
  showIf: undefined,
})

export const hasOptions = (type: FieldType) => type === 'select' || type === 'multi_select'
export const hasLimits = (type: FieldType) =>
  ['short_text', 'long_text', 'number', 'multi_select', 'rating', 'file'].includes(type)

/** The questions of a form for editing. Existing ones keep their keys. */
export const draftsOf = (
  fields: readonly FormField[],
  previous: readonly FieldDraft[] = [],
): FieldDraft[] =>
  fields.map((field) => ({
    key: previous.find(({ id }) => id === field.id)?.key ?? nextKey(),
    id: field.id,
    label: field.label,
    help: field.help ?? '',
    type: field.type,
    required: field.required,
    options: field.options?.join('\n') ?? '',
    min: field.min === undefined ? '' : String(field.min),
    max: field.max === undefined ? '' : String(field.max),
    showIf: field.show_if,
  }))

/** The entered choices. */
export const optionsOf = ({ options }: FieldDraft): string[] => [...new Set(nonEmptyLines(options))]

/** A question as a server argument. */
export function fieldInput(draft: FieldDraft): FieldInput {
  const { id, label, help, type, required, min, max, showIf } = draft
  return {
    ...(id !== undefined && { id }),
    label: label.trim(),
    type,
    required,
    ...(help.trim() !== '' && { help: help.trim() }),
    ...(hasOptions(type) && { options: optionsOf(draft) }),
    ...(hasLimits(type) && min !== '' && { min: Number(min) }),
    ...(hasLimits(type) && max !== '' && { max: Number(max) }),
    ...(showIf && { show_if: showIf }),
  }
}

/** Finds the reason that the questions cannot be saved; undefined if there is none. */
export function draftProblem(drafts: readonly FieldDraft[]): 'noLabel' | 'noOptions' | undefined {
  if (drafts.some(({ label }) => label.trim() === '')) return 'noLabel'
  const isEmpty = (draft: FieldDraft) => hasOptions(draft.type) && optionsOf(draft).length === 0
  return drafts.some(isEmpty) ? 'noOptions' : undefined
}

/** Moves a question; removes conditions on questions that now come later. */
export function moveField(
  drafts: readonly FieldDraft[],
  key: string,
  newIndex: number,
): readonly FieldDraft[] {
  const moved = drafts.find((draft) => draft.key === key)
  if (!moved || newIndex < 0 || newIndex >= drafts.length) return drafts
  const rest = drafts.filter((draft) => draft.key !== key)
  return withoutLateConditions([...rest.slice(0, newIndex), moved, ...rest.slice(newIndex)])
}

/** Removes a question, and conditions on it. */
export const withoutField = (drafts: readonly FieldDraft[], key: string) =>
  withoutLateConditions(drafts.filter((draft) => draft.key !== key))

function withoutLateConditions(drafts: readonly FieldDraft[]): readonly FieldDraft[] {
  const earlierIds = new Set<string>()
  return drafts.map((draft) => {
    const isKept = draft.showIf === undefined || earlierIds.has(draft.showIf.field_id)
    if (draft.id !== undefined) earlierIds.add(draft.id)
    return isKept ? draft : { ...draft, showIf: undefined }
  })
}

/** A condition value converted to the answer type it is compared with. */
export function conditionValue(type: FieldType, text: string): string | number | boolean {
  if (type === 'yes_no') return text === 'true'
  if (type === 'number' || type === 'rating' || type === 'nps') return Number(text)
  return text
}
