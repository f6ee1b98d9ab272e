/** Loosely typed values of the generated types, checked where used. */
export type Json = unknown
export type Fields = Readonly<Record<string, Json>>

export const isFields = (value: Json): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const textIn = (value: Json): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** True if nothing would be shown. */
export const isBlank = (value: Json): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isFields(value) && Object.keys(value).length === 0)

/** Returns the title of an item, whichever field holds it. */
export function itemTitleOf(item: Fields): string | undefined {
  for (const name of ['title', 'name', 'display_name', 'subject', 'text'])
    if (textIn(item[name])) return item[name] as string
  for (const name of [
    'item',
    'project',
    'task',
    'automation',
    'goal',
    'form',
    'draft',
    'person',
    'page',
  ])
    if (isFields(item[name])) return itemTitleOf(item[name])
  return undefined
}

export const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)
export const hasDayFormat = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

/** Person named as a colleague, a contact, or by address. */
export interface AddressedPerson {
  name?: string | undefined
  email?: string | undefined
  person?: { id: string; title: string; url?: string | undefined } | undefined
  contact?: { id: string; title: string; url?: string | undefined } | undefined
}
