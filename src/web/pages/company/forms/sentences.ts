import { formTexts } from '../../../texts/en/company/forms.ts'
import type { FieldDraft } from './fields.ts'

const { condition: words } = formTexts

/** The condition of a question as a sentence; empty if it is always asked. */
export function conditionSentence(
  { showIf }: Pick<FieldDraft, 'showIf'>,
  earlier: readonly FieldDraft[],
): string {
  if (!showIf) return ''
  const label = earlier.find(({ id }) => id === showIf.field_id)?.label ?? showIf.field_id
  if (showIf.op === 'answered')
    return words.sentence(
      label,
      showIf.value === false ? words.notAnswered : words.ops.answered,
      '',
    )
  const value =
    typeof showIf.value === 'boolean' ? words[showIf.value ? 'yes' : 'no'] : `“${showIf.value}”`
  return words.sentence(label, words.ops[showIf.op], value)
}
