import type { CustomFields } from '../shapes.ts'

/** Properties of a contact that a merge considers; plain values, so that preview and merge use the same rules. */
export interface MergeInput {
  id: string
  name: string
  title: string | null
  company_id: string | null
  owner_id: string | null
  note: string | null
  emails: string[]
  phones: string[]
  labels: string[]
  custom_fields: CustomFields
}

export const mergedFields = [
  'name',
  'title',
  'company',
  'owner',
  'note',
  'emails',
  'phones',
  'labels',
  'custom_fields',
] as const
export type MergedField = (typeof mergedFields)[number]

/** Contact that provides the value of a field on which the contacts disagree, by field. */
export type Preferred = Partial<Record<MergedField, string>>

const singleValueColumns = {
  name: 'name',
  title: 'title',
  company: 'company_id',
  owner: 'owner_id',
} as const

/** The outcome for one field; `winner` is undefined if the values were combined. */
export interface MergeDecision {
  field: MergedField
  winner: string | undefined
  /** Contacts whose value is lost. */
  losers: string[]
}

/**
 * Merges several contacts, the surviving one first. Single values come from the preferred contact, else from the
 * first that has one; lists are combined, with the preferred contact's entries first; notes are appended unless one
 * is preferred.
 */
export function mergeInputs(
  sides: readonly MergeInput[],
  prefer: Preferred,
): { merged: MergeInput; decisions: MergeDecision[] } {
  const [survivor] = sides
  const merged: MergeInput = { ...survivor! }
  const decisions: MergeDecision[] = []
  for (const field of ['name', 'title', 'company', 'owner'] as const) {
    const column = singleValueColumns[field]
    const winner = firstWith(preferredSideFirst(sides, prefer[field]), (side) => side[column])
    if (!winner) continue
    Object.assign(merged, { [column]: winner[column] })
    decisions.push({
      field,
      winner: winner.id,
      losers: sides
        .filter((side) => side[column] && side[column] !== winner[column])
        .map((side) => side.id),
    })
  }
  for (const field of ['emails', 'phones', 'labels'] as const) {
    merged[field] = [
      ...new Set(preferredSideFirst(sides, prefer[field]).flatMap((side) => side[field])),
    ]
    if (merged[field].length > 0) decisions.push({ field, winner: prefer[field], losers: [] })
  }
  merged.note = mergeNotes(sides, prefer.note, decisions)
  merged.custom_fields = mergeCustomFields(
    preferredSideFirst(sides, prefer.custom_fields),
    prefer.custom_fields,
    decisions,
  )
  return { merged, decisions }
}

function preferredSideFirst(
  sides: readonly MergeInput[],
  preferredId: string | undefined,
): MergeInput[] {
  return [
    ...sides.filter((side) => side.id === preferredId),
    ...sides.filter((side) => side.id !== preferredId),
  ]
}

function firstWith(
  sides: readonly MergeInput[],
  value: (side: MergeInput) => unknown,
): MergeInput | undefined {
  return sides.find((side) => Boolean(value(side)))
}

function mergeNotes(
  sides: readonly MergeInput[],
  preferred: string | undefined,
  decisions: MergeDecision[],
): string | null {
  const notes = sides.filter((side) => side.note)
  const chosen = notes.find((side) => side.id === preferred)
  if (notes.length === 0) return null
  decisions.push({
    field: 'note',
    winner: chosen?.id ?? (notes.length === 1 ? notes[0]!.id : undefined),
    losers: chosen ? notes.filter((side) => side.note !== chosen.note).map((side) => side.id) : [],
  })
  return chosen ? chosen.note : [...new Set(notes.map((side) => side.note))].join('\n\n')
}

function mergeCustomFields(
  sides: readonly MergeInput[],
  preferred: string | undefined,
  decisions: MergeDecision[],
): CustomFields {
  const fields: CustomFields = {}
  const losers = new Set<string>()
  for (const side of sides) {
    for (const [name, value] of Object.entries(side.custom_fields)) {
      if (!Object.hasOwn(fields, name))
        Object.defineProperty(fields, name, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        })
      else if (JSON.stringify(fields[name]) !== JSON.stringify(value)) losers.add(side.id)
    }
  }
  if (Object.keys(fields).length > 0)
    decisions.push({ field: 'custom_fields', winner: preferred, losers: [...losers] })
  return fields
}
