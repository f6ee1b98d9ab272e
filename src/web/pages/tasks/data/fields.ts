import type { Priority, StatusCategory } from '../../../ui/work/states.tsx'

/** In the order of work. */
export const allCategories = [
  'triage',
  'backlog',
  'todo',
  'in_progress',
  'done',
  'cancelled',
] as const satisfies readonly StatusCategory[]

/** The most urgent first. */
export const allPriorities = [
  'urgent',
  'high',
  'medium',
  'low',
  'none',
] as const satisfies readonly Priority[]

/** The values of a task that are chosen from a list. */
export type PickField =
  | 'status'
  | 'priority'
  | 'assignees'
  | 'delegate'
  | 'labels'
  | 'due'
  | 'start'
  | 'project'
  | 'sprint'
  | 'milestone'

interface Named {
  id: string
  title: string
}

/** A key that tasks can be delegated to. */
export interface DelegateKey extends Named {
  owner: Named
}

/** A custom field by its name, as tasks of several projects have it. */
export type CustomFieldName = `c.${string}`
/** A value of a custom field as rows have it: options by their name, people by their id. */
export type CustomValue = string | number | boolean | readonly string[] | null

export const isCustom = (field: string): field is CustomFieldName => field.startsWith('c.')
export const customName = (field: CustomFieldName): string => field.slice(2)

/** The values of a task that can be changed on its own. */
export type TaskField = PickField | 'title' | 'estimate' | 'points' | CustomFieldName
