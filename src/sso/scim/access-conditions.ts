// Filters as query conditions.

import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { escapeLike, lowerCaseOf } from '../../db/text-conditions.ts'
import type { Comparison, Filter, FilterValue } from './filter.ts'
import { ScimRefusal } from './refusals.ts'

/** A filterable attribute, by type. */
type Attribute =
  /** Compared case-insensitively. */
  | { kind: 'text'; column: RawBuilder<unknown> }
  | { kind: 'exact'; column: RawBuilder<unknown> }
  | { kind: 'boolean'; isTrue: Expression<SqlBool> }
  /** Milliseconds in the database, ISO 8601 in filters. */
  | { kind: 'time'; column: RawBuilder<unknown> }
  /** A list of ids. */
  | { kind: 'reference'; has: (id: string) => Expression<SqlBool> }
  /** Standard attribute that is never stored here: no resource has a value for it. */
  | { kind: 'absent' }

/** Filter and page of a list. Numbers out of range are clamped (RFC 7644, 3.4.2.4). */
export interface ListQuery {
  filter: string | undefined
  /** Starts at 1. */
  startIndex: number
  count: number
}

/** By lower-case name, including the part after a dot. */
export type Attributes = Readonly<Record<string, Attribute>>

/** Attributes of one resource type in a search over several: those of the other types are accepted but have no value. */
export function withAbsent(attributes: Attributes, others: Attributes): Attributes {
  const unstoredAttributes = Object.keys(others).map((name) => [name, { kind: 'absent' }] as const)
  return { ...Object.fromEntries(unstoredAttributes), ...attributes }
}

type Condition = RawBuilder<SqlBool>

const orderOperators: Partial<Record<Comparison, string>> = { gt: '>', ge: '>=', lt: '<', le: '<=' }

/** @throws ScimRefusal invalidFilter for an unsupported filter */
export function toCondition(filter: Filter, attributes: Attributes, prefix = ''): Condition {
  switch (filter.kind) {
    case 'and':
      return sql`(${toCondition(filter.left, attributes, prefix)} and ${toCondition(filter.right, attributes, prefix)})`
    case 'or':
      return sql`(${toCondition(filter.left, attributes, prefix)} or ${toCondition(filter.right, attributes, prefix)})`
    case 'not':
      return sql`not coalesce(${toCondition(filter.operand, attributes, prefix)}, ${alwaysFalse})`
    case 'within':
      if (prefix !== '') throw unusableFilter('Filters in brackets cannot be nested.')
      return toCondition(filter.filter, attributes, `${filter.attribute}.`)
    case 'present':
      return isPresent(attributeOf(attributes, prefix + filter.attribute))
    case 'compare':
      return compare(attributeOf(attributes, prefix + filter.attribute), filter)
  }
}

const alwaysFalse = sql<SqlBool>`(1 = 0)`
const alwaysTrue = sql<SqlBool>`(1 = 1)`

/** User attributes of RFC 7643 (4.1 to 4.3) that are accepted but not stored. */
const absent =
  /^(?:nickname|profileurl|usertype|preferredlanguage|locale|phonenumbers|ims|photos|addresses|entitlements|roles|x509certificates|urn:ietf:params:scim:schemas:extension:enterprise:2\.0:user[:.]\w+)(?:\.|$)/

function attributeOf(attributes: Attributes, name: string): Attribute {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
  if (!attribute && absent.test(name)) return { kind: 'absent' }
  if (!attribute) throw unusableFilter(`${name} cannot be asked for.`)
  return attribute
}

function isPresent(attribute: Attribute): Condition {
  if (attribute.kind === 'boolean') return alwaysTrue
  if (attribute.kind === 'absent') return alwaysFalse
  if (attribute.kind === 'reference') throw unusableFilter('Members are compared by eq.')
  return sql`${attribute.column} is not null`
}

function compare(
  attribute: Attribute,
  { comparison, value }: { comparison: Comparison; value: FilterValue },
): Condition {
  if (comparison === 'ne')
    return sql`not coalesce(${compare(attribute, { comparison: 'eq', value })}, ${alwaysFalse})`
  switch (attribute.kind) {
    case 'boolean':
      return compareBoolean(attribute.isTrue, comparison, value)
    case 'reference':
      if (comparison !== 'eq' || typeof value !== 'string')
        throw unusableFilter('Members are compared by eq.')
      return sql`${attribute.has(value)}`
    case 'absent':
      return comparison === 'eq' && value === null ? alwaysTrue : alwaysFalse
    case 'time':
      return compareTime(attribute.column, comparison, value)
    case 'exact':
      return compareText(attribute.column, comparison, value)
    case 'text':
      return typeof value === 'string'
        ? compareText(lowerCaseOf(attribute.column, value), comparison, value.toLowerCase())
        : compareText(attribute.column, comparison, value)
  }
}

function compareBoolean(
  isTrue: Expression<SqlBool>,
  comparison: Comparison,
  value: FilterValue,
): Condition {
  const expectedText = typeof value === 'string' ? value.toLowerCase() : String(value)
  if (comparison !== 'eq' || (expectedText !== 'true' && expectedText !== 'false'))
    throw unusableFilter('This attribute is compared by eq with true or false.')
  return expectedText === 'true' ? sql`(${isTrue})` : sql`(not (${isTrue}))`
}

function compareTime(
  column: RawBuilder<unknown>,
  comparison: Comparison,
  value: FilterValue,
): Condition {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) throw unusableFilter('Times are written as 2026-01-31T12:00:00Z.')
  const operator = comparison === 'eq' ? '=' : orderOperators[comparison]
  if (operator === undefined) throw unusableFilter('Times are compared by eq, gt, ge, lt and le.')
  return sql`${column} ${sql.raw(operator)} ${at}`
}

function compareText(
  column: Expression<unknown>,
  comparison: Comparison,
  value: FilterValue,
): Condition {
  if (value === null && comparison === 'eq') return sql`${column} is null`
  if (typeof value !== 'string')
    throw unusableFilter('Text is compared with text in double quotes.')
  if (value.includes('\0')) return alwaysFalse
  if (comparison === 'eq') return sql`${column} = ${value}`
  const sign = orderOperators[comparison]
  if (sign !== undefined) return sql`${column} ${sql.raw(sign)} ${value}`
  const [before, suffix] = [comparison === 'sw' ? '' : '%', comparison === 'ew' ? '' : '%']
  return sql`${column} like ${before + escapeLike(value) + suffix} escape '\\'`
}

function unusableFilter(message: string): ScimRefusal {
  return new ScimRefusal('invalidFilter', `The filter cannot be used: ${message}`)
}
