import { minutesOf } from '../create/line.ts'
import type { TaskChange } from './change.ts'

/** Change for a typed estimate or number of points; undefined if it is invalid. */
export function numberChange(field: 'estimate' | 'points', text: string): TaskChange | undefined {
  if (field === 'estimate') {
    if (text === '') return { field, minutes: null }
    const minutes = minutesOf(text.replaceAll(' ', ''))
    return minutes === undefined ? undefined : { field, minutes }
  }
  if (text === '') return { field, points: null }
  const points = Number(text.replace(',', '.'))
  return Number.isFinite(points) && points >= 0 ? { field, points } : undefined
}
