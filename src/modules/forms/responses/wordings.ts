import { omitNullish } from '../../../kernel/present.ts'
import { limitsOf, type FormField } from '../forms/fields.ts'

/** A field's current version, and its version at the time of a response. */
export interface FieldVersions {
  now: FormField
  then: FormField
}

/** A form's fields in order, each with its version at that time; removed ones last. */
export function pairFieldVersions(
  current: readonly FormField[],
  then: readonly FormField[],
): FieldVersions[] {
  const before = new Map(then.map((field) => [field.id, field]))
  const currentIds = new Set(current.map((field) => field.id))
  return [
    ...current.map((now) => ({ now, then: before.get(now.id) ?? now })),
    ...then.flatMap((field) => (currentIds.has(field.id) ? [] : { now: field, then: field })),
  ]
}

/** Earlier wording of a field, as shown with answers. */
export interface OtherWording {
  label: string
  help?: string
  options?: string[]
  max?: number
}

/**
 * Earlier wording of a field, if it differs in a way that could change the meaning of an answer; undefined otherwise.
 */
export function otherWording({ now, then }: FieldVersions): OtherWording | undefined {
  const differences = omitNullish({
    help: then.help === now.help ? undefined : then.help,
    options: isSameOptions(then.options, now.options) ? undefined : then.options,
    max: highestRating(then) === highestRating(now) ? undefined : highestRating(then),
  })
  return then.label === now.label && Object.keys(differences).length === 0
    ? undefined
    : { label: then.label, ...differences }
}

const isSameOptions = (options: readonly string[] = [], others: readonly string[] = []) =>
  options.length === others.length && options.every((option, i) => option === others[i])

/** The highest value of a rating: four of five differs from four of ten. */
const highestRating = (field: FormField) =>
  field.type === 'rating' ? limitsOf(field).max : undefined
