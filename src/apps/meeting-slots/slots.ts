// Times found by find_meeting_time, as returned over MCP: empty and false fields are omitted.

import { localDate, type LocalDate } from '../shared/dates.ts'
import { type AnswerFields, objectsIn, textField, textsIn } from '../shared/fields.ts'

/** A time that suits all required people. */
export interface FreeSlot {
  startsAt: string
  endsAt: string
  /** Local time in the requested time zone. */
  local: LocalDate
  minutes: number
  reasons: string[]
  /** Optional people who cannot come. */
  missing: string[]
  people: SlotPerson[]
}

export interface SlotPerson {
  name: string
  /** Local time of that person. */
  time: LocalDate
  isInsideHours: boolean
}

export function slotsIn({ items }: AnswerFields): FreeSlot[] {
  return objectsIn(items).flatMap((item) => slotOf(item) ?? [])
}

function slotOf(item: AnswerFields): FreeSlot | undefined {
  const [startsAt, endsAt] = [textField(item.starts_at), textField(item.ends_at)]
  const local = localDate(textField(item.local))
  if (startsAt === undefined || endsAt === undefined || !local) return undefined
  return {
    startsAt,
    endsAt,
    local,
    minutes: (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000,
    reasons: textsIn(item.reasons),
    missing: textsIn(item.missing_optional),
    people: objectsIn(item.local_times).flatMap((fields) => slotPersonOf(fields) ?? []),
  }
}

function slotPersonOf({ person, local, inside_hours }: AnswerFields): SlotPerson | undefined {
  const { name, email } = (person ?? {}) as AnswerFields
  const displayName = textField(name) ?? textField(email)
  const time = localDate(textField(local))
  if (displayName === undefined || !time) return undefined
  return { name: displayName, time, isInsideHours: inside_hours === true }
}

/** People whose local time differs, or for whom it is outside their working hours. */
export function peopleWithOtherTimes({ people, local }: FreeSlot): SlotPerson[] {
  return people.filter(
    ({ time, isInsideHours }) =>
      !isInsideHours || time.time !== local.time || time.day !== local.day,
  )
}
