// SCIM PATCH (RFC 7644, 3.5.2) on a JSON resource, in the dialects of providers: operations in any case, values without
// a path, dotted names in such values, booleans as text, and replacement of missing values.

import {
  equalities,
  parsePath,
  type Comparison,
  type Filter,
  type FilterValue,
  type Path,
} from './filter.ts'
import { ScimRefusal } from './refusals.ts'

export type Json = Record<string, unknown>

export interface Operation {
  op: 'add' | 'replace' | 'remove'
  /** Undefined: the members of the value name the changed attributes. */
  path: Path | undefined
  value: unknown
}

const maxOperations = 1000

const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
/** Attributes that only the service sets (RFC 7643, 3.1, and `groups` of users). */
const readOnly = new Set(['id', 'meta', 'schemas', 'groups'])

/**
 * The operations of a PATCH on the resource with this id; a value without a path is split into one operation per
 * member.
 * @throws ScimRefusal invalidSyntax, invalidPath, invalidValue, mutability or noTarget
 */
export function operationsIn(body: unknown, id: string): Operation[] {
  requireSchema(body, patchSchema)
  const list = isPatchObject(body) ? memberOf(body, 'operations') : undefined
  if (!Array.isArray(list) || list.length === 0)
    throw new ScimRefusal('invalidSyntax', 'The request has no Operations.')
  const operations = list.flatMap((item) => operationIn(item, id))
  if (operations.length > maxOperations)
    throw new ScimRefusal('tooMany', `A request has at most ${maxOperations} operations.`)
  return operations
}

function operationIn(item: unknown, id: string): Operation[] {
  const op = isPatchObject(item) ? String(memberOf(item, 'op')).toLowerCase() : ''
  if (!isPatchObject(item) || !isOperation(op))
    throw new ScimRefusal('invalidSyntax', 'An operation is one of add, replace and remove.')
  const [path, value] = [memberOf(item, 'path'), memberOf(item, 'value')]
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw new ScimRefusal('invalidPath', 'The path is not text.')
    const parsed = parsePath(path)
    if (readOnly.has(parsed.attribute)) throw cannotChange(parsed.attribute)
    if (op !== 'remove' && value === undefined)
      throw new ScimRefusal('invalidValue', `${path}: the operation has no value.`)
    return [{ op, path: parsed, value }]
  }
  if (op === 'remove') throw new ScimRefusal('noTarget', 'A removal needs a path.')
  if (!isPatchObject(value))
    throw new ScimRefusal('invalidValue', 'An operation without a path needs an object as value.')
  return Object.entries(value).flatMap(([name, part]) => {
    const parsed = parsePath(name)
    // Providers repeat the id and the schemas of the resource.
    if (parsed.attribute === 'id' && part !== id) throw cannotChange('id')
    return readOnly.has(parsed.attribute) ? [] : [{ op, path: parsed, value: part }]
  })
}

function cannotChange(attribute: string): ScimRefusal {
  return new ScimRefusal('mutability', `${attribute}: this attribute cannot be changed.`)
}

/** A body may omit its schemas; otherwise they must include the expected one. @throws ScimRefusal invalidSyntax */
export function requireSchema(body: unknown, schema: string): void {
  const schemas = isPatchObject(body) ? memberOf(body, 'schemas') : undefined
  if (schemas === undefined || schemas === null) return
  const names = asList(schemas).map((name) => String(name).toLowerCase())
  if (names.length > 0 && !names.includes(schema.toLowerCase()))
    throw new ScimRefusal('invalidSyntax', `schemas: ${schema} is missing.`)
}

const isOperation = (op: string): op is Operation['op'] =>
  op === 'add' || op === 'replace' || op === 'remove'

/** Canonical spelling of attributes, by lower-case name. All others are left out. */
export type Spelling = Readonly<Record<string, string>>

/**
 * The resource after the operations; attributes not in `spelling` are ignored, because they are not stored. @throws
 * ScimRefusal
 */
export function patched(
  resource: Json,
  operations: readonly Operation[],
  spelling: Spelling,
): Json {
  const result = structuredClone(resource)
  for (const operation of operations) {
    const { path } = operation
    const name =
      path && Object.hasOwn(spelling, path.attribute) ? spelling[path.attribute] : undefined
    if (!path || name === undefined) continue
    if (path.filter) changeElements(result, name, { ...operation, path, filter: path.filter })
    else if (path.sub !== undefined) changePart(result, name, path.sub, operation)
    else changeWhole(result, name, operation)
  }
  return result
}

function changeWhole(resource: Json, name: string, { op, value }: Operation): void {
  const present = resource[name]
  if (op === 'remove' || value === null) {
    delete resource[name]
    return
  }
  if (Array.isArray(present) && op === 'add') {
    const added = asList(value)
    const isPrimary = added.some((item) => isPatchObject(item) && isTrue(item.primary))
    const existing = isPrimary ? present.map(withoutPrimary) : present
    resource[name] = [...existing, ...added]
  } else if (isPatchObject(present) && isPatchObject(value))
    resource[name] = { ...present, ...lowerNames(value) }
  else resource[name] = isPatchObject(value) ? lowerNames(value) : value
}

function changePart(resource: Json, name: string, sub: string, { op, value }: Operation): void {
  const present = resource[name]
  const part = op === 'remove' ? undefined : value
  if (Array.isArray(present)) {
    if (present.length === 0 && part !== undefined) resource[name] = [{ [sub]: part }]
    for (const item of present) if (isPatchObject(item)) item[sub] = part
    return
  }
  resource[name] = { ...(isPatchObject(present) ? present : {}), [sub]: part }
}

function changeElements(
  resource: Json,
  name: string,
  { op, path, value, filter }: Operation & { path: Path; filter: Filter },
): void {
  const items = Array.isArray(resource[name]) ? resource[name].filter(isPatchObject) : []
  const targets = items.filter((item) => matches(item, filter, path.attribute))
  if (op === 'remove') {
    if (path.sub === undefined) resource[name] = items.filter((item) => !targets.includes(item))
    else for (const item of targets) delete item[path.sub]
    return
  }
  if (targets.length === 0) {
    const element = newElement(op, filter)
    items.push(element)
    targets.push(element)
  }
  for (const item of targets)
    Object.assign(item, path.sub === undefined ? lowerNames(value) : { [path.sub]: value })
  resource[name] = items
}

/**
 * The element that an operation adds if none matches. Entra replaces `emails[type eq "work"].value` of users without
 * one, so `replace` also adds an element of that type.
 * @throws ScimRefusal noTarget
 */
function newElement(op: Operation['op'], filter: Filter): Json {
  const terms = equalities(filter)
  const isKind = terms?.every(({ attribute }) => ['type', 'primary'].includes(attribute))
  if (!terms || (op === 'replace' && !isKind))
    throw new ScimRefusal('noTarget', 'No value matches the filter in the path.')
  return Object.fromEntries(terms.map((term) => [term.attribute, term.value]))
}

/**
 * True if a filter in brackets matches a list element. Texts are compared case-insensitively. @throws ScimRefusal
 * invalidPath
 */
function matches(item: Json, filter: Filter, list: string): boolean {
  const isMatch = (inner: Filter) => matches(item, inner, list)
  switch (filter.kind) {
    case 'and':
      return isMatch(filter.left) && isMatch(filter.right)
    case 'or':
      return isMatch(filter.left) || isMatch(filter.right)
    case 'not':
      return !isMatch(filter.operand)
    case 'within':
      throw new ScimRefusal('invalidPath', `${list}: filters in brackets cannot be nested.`)
    case 'present':
      return item[filter.attribute] !== undefined && item[filter.attribute] !== null
    case 'compare':
      return compares(item[filter.attribute], filter.comparison, filter.value)
  }
}

function compares(present: unknown, comparison: Comparison, wanted: FilterValue): boolean {
  if (typeof wanted === 'boolean')
    return (
      ['eq', 'ne'].includes(comparison) && (isTrue(present) === wanted) === (comparison === 'eq')
    )
  const [text, other] = [present, wanted].map((value) => String(value ?? '').toLowerCase()) as [
    string,
    string,
  ]
  switch (comparison) {
    case 'eq':
      return text === other
    case 'ne':
      return text !== other
    case 'co':
      return text.includes(other)
    case 'sw':
      return text.startsWith(other)
    case 'ew':
      return text.endsWith(other)
    case 'gt':
      return text > other
    case 'ge':
      return text >= other
    case 'lt':
      return text < other
    case 'le':
      return text <= other
  }
}

/** Entra sends booleans as text. */
export function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
}

export function isPatchObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Finds a member case-insensitively, because SCIM attribute names ignore case. */
export function memberOf(object: Json, lowerName: string): unknown {
  const name = Object.keys(object).find((key) => key.toLowerCase() === lowerName)
  return name === undefined ? undefined : object[name]
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

function withoutPrimary(item: unknown): unknown {
  return isPatchObject(item) ? { ...item, primary: false } : item
}

function lowerNames(value: unknown): Json {
  if (!isPatchObject(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name.toLowerCase(), part]))
}
