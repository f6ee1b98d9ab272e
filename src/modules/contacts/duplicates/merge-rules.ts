import type { CustomFields } from '../shapes.ts'

/** Properties of a contact that a merge considers; plain values, so that preview and merge use the same rules. */
export interface Side {
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

const single = { name: 'name', title: 'title', company: 'company_id', owner: 'owner_id' } as const

/** A field where it is settled: what came out, and of whom it is; no one's alone where values were put together. */
export interface MergeDecision {
  field: MergedField
  winner: string | undefined
  /** Contacts whose own value is lost by it. */
  losers: string[]
}

/**
 * Merges several contacts, the surviving one first. Single values come from the preferred contact, else from the
 * first that has one; lists are combined, with the preferred contact's entries first; notes are appended unless one
 * is preferred.
 */
export function mergeSides(
  sides: readonly Side[],
  prefer: Preferred,
): { merged: Side; settled: MergeDecision[] } {
  const [kept] = sides
  const merged: Side = { ...kept! }
  const settled: MergeDecision[] = []
  for (const field of ['name', 'title', 'company', 'owner'] as const) {
    const column = single[field]
    const winner = firstWith(preferredSideFirst(sides, prefer[field]), (side) => side[column])
    if (!winner) continue
    Object.assign(merged, { [column]: winner[column] })
    settled.push({
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
    if (merged[field].length > 0) settled.push({ field, winner: prefer[field], losers: [] })
  }
  merged.note = mergeNotes(sides, prefer.note, settled)
  merged.custom_fields = mergeCustomFields(
    preferredSideFirst(sides, prefer.custom_fields),
    prefer.custom_fields,
    settled,
  )
  return { merged, settled }
}

function preferredSideFirst(sides: readonly Side[], first: string | undefined): Side[] {
  return [
    ...sides.filter((side) => side.id === first),
    ...sides.filter((side) => side.id !== first),
  ]
}

function firstWith(sides: readonly Side[], value: (side: Side) => unknown): Side | undefined {
  return sides.find((side) => Boolean(value(side)))
}

function mergeNotes(
  sides: readonly Side[],
  preferred: string | undefined,
  settled: MergeDecision[],
): string | null {
  const notes = sides.filter((side) => side.note)
  const chosen = notes.find((side) => side.id === preferred)
  if (notes.length === 0) return null
  settled.push({
    field: 'note',
    winner: chosen?.id ?? (notes.length === 1 ? notes[0]!.id : undefined),
    losers: chosen ? notes.filter((side) => side.note !== chosen.note).map((side) => side.id) : [],
  })
  return chosen ? chosen.note : [...new Set(notes.map((side) => side.note))].join('\n\n')
}

function mergeCustomFields(
  sides: readonly Side[],
  preferred: string | undefined,
  settled: MergeDecision[],
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
    settled.push({ field: 'custom_fields', winner: preferred, losers: [...losers] })
  return fields
}
