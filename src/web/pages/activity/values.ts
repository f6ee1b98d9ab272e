import { activityTexts as t } from './texts.ts'
import { formatMoment } from '../../ui/times.tsx'

const maxLength = 20_000

/** Display name of a field: `due_at` is “Due at”. */
export function fieldName(name: string): string {
  const words = name.replace(/_(ids?|markdown)$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Formats a value for display; for a long text that the log does not store, its length. */
export function formatValue(value: unknown): string {
  const { call, approvals } = t.activity
  if (value === null || value === undefined || value === '') return call.nothing
  if (typeof value === 'boolean') return value ? approvals.yes : approvals.no
  if (typeof value === 'string')
    return isMoment(value) ? formatMoment(value) : truncateValueText(value)
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value))
    return value.length === 0 ? call.nothing : value.map(formatValue).join(', ')
  if (isOmittedText(value)) return call.text(value.length, value.host)
  return JSON.stringify(value, null, 1)
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text))
}

function truncateValueText(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

function isOmittedText(value: object): value is { length: number; host?: string } {
  return 'sha256' in value && 'length' in value && typeof value.length === 'number'
}
