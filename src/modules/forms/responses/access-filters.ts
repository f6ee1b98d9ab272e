import { sql, type Expression, type SqlBool } from 'kysely'
import { anyOf, containsText, equalsText } from '../../../db/text-conditions.ts'

export interface AnswerFilter {
  form_id: string
  field_id: string
  op: 'equals' | 'not_equals' | 'contains' | 'greater' | 'less' | 'answered'
  values: readonly (string | number | boolean)[]
}

/** Whether a response's answer matches; an unanswered field matches only "not". */
export function matchesAnswer(filter: AnswerFilter): Expression<SqlBool> {
  const { op, values } = filter
  if (op === 'answered')
    return values[0] === false ? sql<SqlBool>`not (${hasAnswer(filter)})` : hasAnswer(filter)
  if (op === 'not_equals') return sql<SqlBool>`not (${hasAnswer(filter, anyOf(values.map(equal)))})`
  if (op === 'equals') return hasAnswer(filter, anyOf(values.map(equal)))
  if (op === 'contains')
    return hasAnswer(filter, anyOf(values.map((value) => containsText(['a.text'], String(value)))))
  return hasAnswer(filter, anyOf(values.map((value) => compare(op, value))))
}

/**
 * The list is built once; responses keep the order of their own index (the id is concatenated with an empty string,
 * to keep the planner from starting with the list).
 */
function hasAnswer(
  { form_id, field_id }: AnswerFilter,
  condition: Expression<SqlBool> = sql<SqlBool>`1 = 1`,
): Expression<SqlBool> {
  return sql<SqlBool>`form_responses.id || '' in (select a.response_id from form_answers as a where a.form_id = ${form_id} and a.field_id = ${field_id} and ${condition})`
}

function equal(value: string | number | boolean): Expression<SqlBool> {
  if (typeof value === 'string') return equalsText('a.text', [...value].slice(0, 200).join(''))
  return sql<SqlBool>`a.number = ${Number(value)}`
}

/** Days are texts that sort chronologically. */
function compare(op: 'greater' | 'less', value: string | number | boolean): Expression<SqlBool> {
  const column = sql.ref(typeof value === 'string' ? 'a.text' : 'a.number')
  const bound = typeof value === 'boolean' ? Number(value) : value
  return op === 'greater' ? sql<SqlBool>`${column} > ${bound}` : sql<SqlBool>`${column} < ${bound}`
}
