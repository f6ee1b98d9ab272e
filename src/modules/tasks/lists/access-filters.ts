// Conditions of tasks on other tables or inside a column.
import { sql, type Expression, type SqlBool } from 'kysely'
import { containsText, anyOf } from '../../../db/text-conditions.ts'

/** True if every word is in the title or the key, ignoring case. */
export function hasWords(text: string): Expression<SqlBool> {
  const words = text.split(/\s+/u).filter((word) => word !== '')
  return allOf(words.map((word) => containsText(['tasks.title', 'tasks.key'], word)))
}

/** True if one of these people is an assignee; checked per task. */
export function isAssignedToAny(people: readonly string[]): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from task_people where task_people.task_id = tasks.id and task_people.role = 'assignee' and task_people.person_id in (${sql.join(people)}))`
}

/** True if a task has one of these labels; checked per task. */
export function hasAnyLabel(labels: readonly string[] | Expression<unknown>): Expression<SqlBool> {
  const labelList = Array.isArray(labels) ? sql`(${sql.join(labels)})` : sql`${labels}`
  return sql<SqlBool>`exists (select 1 from task_labels where task_labels.task_id = tasks.id and task_labels.label_id in ${labelList})`
}

/** True if the task is in one of these projects, written so that no index can drive the query. */
export function isInProjects(projects: readonly string[]): Expression<SqlBool> {
  return sql<SqlBool>`tasks.project_id || '' in (${sql.join(projects)})`
}

/**
 * True if one of these keys, or any key, created or changed the task at or after that moment in a call that was not
 * undone; checked per task.
 */
export function isChangedByKey(
  keys: readonly string[] | true,
  since: number | undefined,
): Expression<SqlBool> {
  const byKey = keys === true ? sql`is not null` : sql`in (${sql.join(keys)})`
  const sinceCondition = since === undefined ? sql`` : sql` and c.at >= ${since}`
  return sql<SqlBool>`exists (select 1 from changes as c where c.item_id = tasks.id and c.item_type = 'task' and c.op in ('created', 'updated') and c.key_id ${byKey}${sinceCondition} and not exists (select 1 from undone_calls as u where u.call_id = c.call_id))`
}

/**
 * A condition on the value of one custom field. If several projects have a field of that name, one condition must
 * hold.
 */
export interface FieldCondition {
  field: string
  type: 'text' | 'number' | 'day' | 'boolean' | 'options'
  compare: 'is' | 'above' | 'below' | 'present'
  values: readonly (string | number | boolean)[]
}

/** True if a task's value of a custom field meets a condition; false for a task without a value. */
function hasFieldValue({ field, type, compare, values }: FieldCondition): Expression<SqlBool> {
  const text = sql<string>`(tasks.custom_fields_json ->> ${field})`
  if (compare === 'present') return sql<SqlBool>`${text} is not null`
  if (type === 'options')
    return sql<SqlBool>`exists (select 1 from json_each(${text}) as picked where picked.value in (${sql.join(values)}))`
  if (compare === 'is') return anyOf(values.map((value) => isValue(field, type, value)))
  const value = type === 'number' ? sql`cast(${text} as double precision)` : text
  return compare === 'above'
    ? sql<SqlBool>`${value} > ${values[0]}`
    : sql<SqlBool>`${value} < ${values[0]}`
}

function isValue(
  field: string,
  type: FieldCondition['type'],
  value: string | number | boolean,
): Expression<SqlBool> {
  const text = sql<string>`(tasks.custom_fields_json ->> ${field})`
  if (type === 'number') return sql<SqlBool>`cast(${text} as double precision) = ${value}`
  if (type === 'boolean')
    return sql<SqlBool>`cast((tasks.custom_fields_json -> ${field}) as text) = ${String(value)}`
  return sql<SqlBool>`lower(${text}) = lower(${value})`
}

/** A condition on a custom field, for each project with a field of that name. */
export interface CustomCondition {
  not: boolean
  conditions: readonly FieldCondition[]
}

/** True if a task meets a condition. */
export function meetsCustomCondition({ not, conditions }: CustomCondition): Expression<SqlBool> {
  const fits = anyOf(conditions.map(hasFieldValue))
  return not ? sql<SqlBool>`${fits} is not true` : fits
}

const allOf = (conditions: readonly Expression<SqlBool>[]): Expression<SqlBool> =>
  sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
