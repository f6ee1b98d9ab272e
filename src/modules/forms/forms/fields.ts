import { z } from 'zod'
import { shortText } from '../../../kernel/fields.ts'
import type { Row } from '../../../records/resource.ts'

export const fieldTypes = [
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
] as const
export type FieldType = (typeof fieldTypes)[number]

export const conditionOps = [
  'equals',
  'not_equals',
  'contains',
  'greater',
  'less',
  'answered',
] as const

/** Condition on the answer to an earlier field: the field is asked only if it is met. */
export interface FieldCondition {
  field_id: string
  op: (typeof conditionOps)[number]
  value?: string | number | boolean | undefined
}

/** One field of a form, as it is stored. */
export interface FormField {
  id: string
  label: string
  help?: string | undefined
  type: FieldType
  required: boolean
  options?: string[] | undefined
  /** Limits for characters of texts, the number itself, or the number of options or files; max is a rating's best. */
  min?: number | undefined
  max?: number | undefined
  show_if?: FieldCondition | undefined
}

/** All current and retired fields of a form, in order. */
export function formFields({
  fields_json,
  retired_json,
}: Pick<Row<'forms'>, 'fields_json' | 'retired_json'>): FormField[] {
  return [...(JSON.parse(fields_json) as FormField[]), ...(JSON.parse(retired_json) as FormField[])]
}

/** The only valid field id that is also an inherited property of every object. */
export const reservedId = 'constructor'

/** Field ids identify fields in responses, filters and addresses. */
export const fieldId = () =>
  z
    .string()
    .regex(
      /^[a-z][a-z0-9_]{0,39}$/,
      'must be 1 to 40 lowercase letters, digits and _, starting with a letter',
    )
    .refine((id) => id !== reservedId, 'is a reserved name')

/** Minimum, maximum, and defaults: `whole` if only whole numbers make sense. */
interface Bounds {
  lowest: number
  highest: number
  defaultMin?: number
  defaultMax?: number
  whole?: true
}

/** Allowed values of `min` and `max`; types that are absent have neither. */
export const boundsOf: Partial<Record<FieldType, Bounds>> = {
  short_text: { lowest: 0, highest: 500, defaultMax: 500, whole: true },
  long_text: { lowest: 0, highest: 10_000, defaultMax: 10_000, whole: true },
  number: { lowest: -1e15, highest: 1e15, defaultMin: -1e15, defaultMax: 1e15 },
  multi_select: { lowest: 0, highest: 100, whole: true },
  rating: { lowest: 2, highest: 10, defaultMax: 5, whole: true },
  file: { lowest: 0, highest: 5, defaultMax: 1, whole: true },
}

export const maxFields = 100
const maxOptions = 100
export const hasOptions = (type: FieldType) => type === 'select' || type === 'multi_select'

const ConditionInput = z.strictObject({
  field_id: fieldId().describe('an earlier field'),
  op: z.enum(conditionOps),
  value: z
    .union([shortText(), z.number(), z.boolean()])
    .optional()
    .describe('with answered: false negates it'),
})

export const FieldInput = z.strictObject({
  id: fieldId().optional().describe('default: from the label'),
  label: z.string().min(1).max(500).regex(/\S/, 'must not be blank'),
  help: shortText(2000).optional(),
  type: z.enum(fieldTypes),
  required: z.boolean().default(false),
  options: z
    .array(z.string().min(1).max(200).regex(/\S/, 'must not be blank'))
    .max(maxOptions)
    .optional(),
  min: z.number().optional().describe('characters, number or options'),
  max: z.number().optional().describe('as for min, or files; the highest rating'),
  show_if: ConditionInput.nullable().optional(),
})

/** Effective minimum and maximum of a field, with defaults applied. */
export function limitsOf({ type, min, max, options }: FormField): { min: number; max: number } {
  const { defaultMin = 0, defaultMax = options?.length ?? 0 } = boundsOf[type] ?? {}
  return { min: type === 'rating' ? 1 : (min ?? defaultMin), max: max ?? defaultMax }
}
