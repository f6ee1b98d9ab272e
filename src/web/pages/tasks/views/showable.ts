import { sincePeriod } from '../../../../kernel/time/periods.ts'
import { isoDay } from '../../../ui/work/days.ts'

type Filter = Readonly<Record<string, unknown>>

const idPattern = (prefix: string) => new RegExp(`^${prefix}_`)
const mePattern = /^me$/
const personPatterns = [idPattern('usr'), mePattern]

/** The list_tasks arguments supported by the app's filter, at most one of each group, with the known values. */
const argumentGroups: readonly (readonly [names: readonly string[], values?: readonly RegExp[]])[] =
  [
    [['text']],
    [
      ['project_id', 'project_ids', 'projects_not'],
      [idPattern('prj'), /^[A-Z0-9]+$/],
    ],
    [['assignee', 'assignees', 'assignees_not', 'has_no_assignee'], personPatterns],
    [['delegated_to'], [idPattern('key'), mePattern]],
    [['status_category']],
    [['priority']],
    [['label_id', 'labels_any', 'labels_not', 'has_no_label'], [idPattern('lbl')]],
    [['due', 'due_not', 'overdue', 'has_no_due_date']],
    [['updated_after']],
    [['changed_by_key'], [/^any$/]],
    [['custom']],
  ]
const knownNames = new Set(argumentGroups.flatMap(([names]) => names))

/**
 * True if the app's filter can express these list_tasks arguments: assistants may save views with others, which only
 * the server can run.
 */
export function isShowable(filter: Filter): boolean {
  const entries = Object.entries(filter).filter(([, value]) => value !== undefined)
  if (entries.some(([name]) => !knownNames.has(name))) return false
  const areGroupsSupported = argumentGroups.every(([names, values]) => {
    const groupEntries = entries.filter(([name]) => names.includes(name))
    return (
      (groupEntries.length < 2 || isExclusionWithNone(groupEntries)) &&
      groupEntries.every(([, value]) => isKnownValue(value, values))
    )
  })
  return (
    areGroupsSupported &&
    hasOneLabel(filter) &&
    isSinceSupported(filter) &&
    isCustomSupported(filter.custom)
  )
}

/** True if two arguments together mean neither none nor some given values, which the app filters as one. */
const isExclusionWithNone = (entries: readonly [name: string, value: unknown][]) =>
  entries.length === 2 &&
  entries.some(([name]) => /^(assignees|labels)_not$/.test(name)) &&
  entries.some(([name, value]) => /^has_no_(assignee|label)$/.test(name) && value === false)

function isKnownValue(value: unknown, patterns: readonly RegExp[] | undefined): boolean {
  if (patterns === undefined || typeof value === 'boolean') return true
  return [value].flat().every((item) => patterns.some((pattern) => pattern.test(String(item))))
}

/** Several values of `label_id` must all match; in the app, any of them. */
const hasOneLabel = ({ label_id: labels }: Filter) => !Array.isArray(labels) || labels.length < 2

/** Changes by keys are filtered from a day or a period, other changes from a period. */
function isSinceSupported({ changed_by_key: key, updated_after: after }: Filter): boolean {
  if (after === undefined) return key === undefined
  const since = String(after)
  return sincePeriod.test(since) || (key !== undefined && isoDay.test(since))
}

function isCustomSupported(custom: unknown): boolean {
  if (!Array.isArray(custom)) return true
  const fields = custom.map((item: Filter) => item.field)
  return (
    new Set(fields).size === fields.length &&
    custom.every((item: Filter) => {
      const conditions = Object.keys(item).filter((name) => name !== 'field')
      return conditions.length === 1 && ['is', 'is_not', 'empty'].includes(conditions[0] ?? '')
    })
  )
}
