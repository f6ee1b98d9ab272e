/** What administrators settle for the organization. */
export interface Values {
  name: string
  default_timezone: string
  /** ISO weekdays, 1 = Monday. */
  work_week: number[]
  holidays: { date: string; name: string }[]
  severity_scale: { severity: string; name: string; description: string }[]
  deal_stages: string[]
  trash_days: number
}

export interface Settled extends Values {
  revision: number
  updated_at: string
}

export const organizationPath = '/web/organization'
const fields = [
  'name',
  'default_timezone',
  'work_week',
  'holidays',
  'severity_scale',
  'deal_stages',
  'trash_days',
] as const
export type Field = (typeof fields)[number]

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields in which two differ. */
export function differing(a: Values, b: Values): Field[] {
  return fields.filter((field) => !isSame(a[field], b[field]))
}

export function valuesOf(of: Values): Values {
  return pick(of, fields)
}

export function pick(of: Values, some: readonly Field[]): Values {
  return Object.fromEntries(some.map((field) => [field, of[field]])) as unknown as Values
}

/** The own changes on top of what others have settled meanwhile. */
export function rebased(draft: Values, base: Values, fresh: Values): Values {
  return { ...valuesOf(fresh), ...pick(draft, differing(draft, base)) }
}
