import { escapeHtml } from '../../../kernel/text/html.ts'
import { limitsOf, type FormField } from '../forms/fields.ts'
import { acceptedExtensions } from './file-kinds.ts'

// A form's fields as HTML, with accessible labels, help and error messages.

/** Contents of a field: its current answer, and the problem with it. */
export interface FieldState {
  value: unknown
  problem: string | undefined
}

const inputId = (field: FormField) => `f-${field.id}`

/** Anchor for links to a field: its input, or the first of several. */
export function anchorOf(field: FormField): string {
  return isGroup(field) ? `${inputId(field)}-0` : inputId(field)
}

const maxRadioOptions = 7

function isGroup({ type, options }: FormField): boolean {
  return (
    type === 'rating' ||
    type === 'nps' ||
    type === 'yes_no' ||
    type === 'multi_select' ||
    (type === 'select' && options!.length <= maxRadioOptions)
  )
}

export function fieldHtml(field: FormField, state: FieldState): string {
  return isGroup(field) ? groupHtml(field, state) : singleHtml(field, state)
}

function describedBy(field: FormField, { problem }: FieldState): string {
  const ids = [
    ...(helpOf(field) === '' ? [] : [`${inputId(field)}-help`]),
    ...(problem === undefined ? [] : [`${inputId(field)}-error`]),
  ]
  return ids.length === 0 ? '' : ` aria-describedby="${ids.join(' ')}"`
}

function helpAndErrorHtml(field: FormField, { problem }: FieldState): string {
  const help = helpOf(field)
  return [
    help === '' ? '' : `<p class="help" id="${inputId(field)}-help">${escapeHtml(help)}</p>`,
    problem === undefined
      ? ''
      : `<p class="error" id="${inputId(field)}-error"><span class="sr">Error: </span>${escapeHtml(sentence(problem))}</p>`,
  ].join('')
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Help text of a field: by the form's author, and about accepted values. */
function helpOf(field: FormField): string {
  const { min, max } = limitsOf(field)
  const typeHelp: Partial<Record<FormField['type'], string>> = {
    nps: '0 is not at all likely, 10 is extremely likely.',
    rating: `1 is the worst, ${max} the best.`,
    multi_select:
      field.min !== undefined || field.max !== undefined
        ? `Choose ${min === max ? min : `from ${min} to ${max}`}.`
        : '',
    number: numberLimits(field),
    file: max === 1 ? 'At most 10 MB.' : `At most ${max} files, together at most 10 MB.`,
  }
  return [field.help ?? '', typeHelp[field.type] ?? ''].filter((text) => text !== '').join(' ')
}

const requiredMark = ({ required }: FormField) =>
  required ? ' <span class="required">(required)</span>' : ''

function singleHtml(field: FormField, state: FieldState): string {
  return `<div class="field">\n<label for="${inputId(field)}">${escapeHtml(field.label)}${requiredMark(field)}</label>\n${helpAndErrorHtml(field, state)}\n${inputHtml(field, state)}\n</div>`
}

function inputHtml(field: FormField, fieldState: FieldState): string {
  const { type, required, options, id } = field
  const { max } = limitsOf(field)
  const common = `id="${inputId(field)}" name="${id}"${required ? ' required' : ''}${fieldState.problem === undefined ? '' : ' aria-invalid="true"'}${describedBy(field, fieldState)}`
  const value =
    typeof fieldState.value === 'string' || typeof fieldState.value === 'number'
      ? String(fieldState.value)
      : ''
  if (type === 'long_text')
    return `<textarea ${common} rows="6" maxlength="${max}">\n${escapeHtml(value)}</textarea>`
  if (type === 'select')
    return `<select ${common}>\n<option value="">Choose one</option>\n${options!.map((option) => `<option${option === value ? ' selected' : ''}>${escapeHtml(option)}</option>`).join('\n')}\n</select>`
  if (type === 'file')
    return `<input ${common} type="file" accept="${acceptedExtensions}"${max > 1 ? ' multiple' : ''}>`
  const kind = {
    email: 'type="email" autocomplete="email" maxlength="320"',
    phone: 'type="tel" autocomplete="tel" maxlength="41"',
    date: 'type="date"',
    number: 'type="text" inputmode="decimal" maxlength="32"',
  }[type as string]
  return `<input ${common} ${kind ?? `type="text" maxlength="${max}"${autocompleteAttribute(id)}`} value="${escapeHtml(value)}">`
}

/** Autocomplete values for field names that browsers know. */
function autocompleteAttribute(id: string): string {
  const autocompleteById: Record<string, string> = {
    name: 'name',
    full_name: 'name',
    your_name: 'name',
    first_name: 'given-name',
    last_name: 'family-name',
    company: 'organization',
    organization: 'organization',
    city: 'address-level2',
    country: 'country-name',
    postal_code: 'postal-code',
    zip: 'postal-code',
    job_title: 'organization-title',
  }
  return autocompleteById[id] === undefined ? '' : ` autocomplete="${autocompleteById[id]}"`
}

function groupHtml(field: FormField, state: FieldState): string {
  const choices = inputChoicesOf(field)
  const chosen = (Array.isArray(state.value) ? state.value : [state.value]).map(String)
  const kind = field.type === 'multi_select' ? 'checkbox' : 'radio'
  const inputs = choices.map(({ value, label }, i) => {
    const id = `${inputId(field)}-${i}`
    return `<div class="choice"><input type="${kind}" id="${id}" name="${field.id}" value="${escapeHtml(value)}"${chosen.includes(value) ? ' checked' : ''}${field.required && kind === 'radio' ? ' required' : ''}> <label for="${id}">${escapeHtml(label)}</label></div>`
  })
  const isScale = field.type === 'rating' || field.type === 'nps'
  return `<fieldset class="field"${describedBy(field, state)}>\n<legend>${escapeHtml(field.label)}${requiredMark(field)}</legend>\n${helpAndErrorHtml(field, state)}\n<div class="${isScale ? 'scale' : 'choices'}">\n${inputs.join('\n')}\n</div>\n</fieldset>`
}

function inputChoicesOf(field: FormField): { value: string; label: string }[] {
  if (field.type === 'yes_no')
    return [
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ]
  if (field.options) return field.options.map((value) => ({ value, label: value }))
  const { min, max } = field.type === 'nps' ? { min: 0, max: 10 } : limitsOf(field)
  return Array.from({ length: max - min + 1 }, (_, i) => String(min + i)).map((value) => ({
    value,
    label: value,
  }))
}

/** Hidden inputs for answers of other pages. */
export function hiddenHtml(field: FormField, value: unknown): string {
  return (Array.isArray(value) ? value : [value])
    .filter((item) => item !== undefined)
    .map((item) => `<input type="hidden" name="${field.id}" value="${escapeHtml(String(item))}">`)
    .join('')
}

function numberLimits(field: FormField): string {
  const { min, max } = limitsOf(field)
  if (field.min !== undefined && field.max !== undefined) return `From ${min} to ${max}.`
  if (field.min !== undefined) return `At least ${min}.`
  return field.max === undefined ? '' : `At most ${max}.`
}
