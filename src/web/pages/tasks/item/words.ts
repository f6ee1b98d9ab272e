import { t } from '../../../texts/index.ts'
import { relativeDay } from '../../../ui/work/days.ts'
import type { Change } from './useTask.ts'

interface Actor {
  name: string
  kind: 'person' | 'assistant' | 'automation'
  /** Owner of the key that an assistant used. */
  owner?: string
}

/** Author of a change: an assistant is named after its key. */
export function authorOf(change: Pick<Change, 'actor' | 'automation' | 'key_name'>): Actor {
  if (change.automation) return { name: change.automation.title, kind: 'automation' }
  if (change.key_name !== undefined)
    return { name: change.key_name, kind: 'assistant', owner: change.actor.title }
  return { name: change.actor.title, kind: 'person' }
}

/** A history value in words. */
export function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return t.tasks.none
  if (typeof value === 'number' && field.endsWith('_minutes')) return t.items.minutes(value)
  if (typeof value === 'number') return t.items.number(value)
  if (Array.isArray(value)) return value.map((item) => valueText(field, item)).join(', ')
  const text = String(value)
  if (/_(at|on)$/.test(field) && /^\d{4}-\d\d-\d\d/.test(text))
    return relativeDay(text.slice(0, 10))
  if (field === 'priority') return t.items.word(text)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Fields that duplicate another one, or are meaningless to people. */
const hiddenFields = [
  'due_on',
  'start_on',
  'status_category',
  'position',
  'watchers',
  'completed_at',
  'comments',
]

export const visibleChanges = (change: Change) =>
  change.changes.filter(({ field }) => !hiddenFields.includes(field))
