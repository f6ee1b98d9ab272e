import type { Priority, StatusCategory } from '../../../ui/work/states.tsx'

/** In workflow order. */
export const allCategories = [
  'triage',
  'backlog',
  'todo',
  'in_progress',
  'done',
  'cancelled',
] as const satisfies readonly StatusCategory[]

/** Most urgent first. */
export const allPriorities = [
  'urgent',
  'high',
  'medium',
  'low',
  'none',
] as const satisfies readonly Priority[]

/** Task values chosen from a list. */
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

interface NamedRef {
  id: string
  title: string
}

/** A key that tasks can be delegated to. */
export interface DelegateKey extends NamedRef {
  owner: NamedRef
}

/** A custom field by name, shared by the tasks of several projects. */
export type CustomFieldName = `c.${string}`
/** A custom field value in rows: options by name, people by id. */
export type CustomValue = string | number | boolean | readonly string[] | null

export const isCustom = (field: string): field is CustomFieldName => field.startsWith('c.')
export const customName = (field: CustomFieldName): string => field.slice(2)

/** Individually editable values of a task. */
export type TaskField = PickField | 'title' | 'estimate' | 'points' | CustomFieldName
