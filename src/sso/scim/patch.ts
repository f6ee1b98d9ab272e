// SCIM PATCH (RFC 7644, 3.5.2) on a JSON resource, with the variants of providers: operations in any case, values without
// a path, dotted names in such values, booleans as text, and replacement of missing values.

import {
  equalityTerms,
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
export function parseOperations(body: unknown, id: string): Operation[] {
  requireSchema(body, patchSchema)
  const list = isJsonObject(body) ? propertyIgnoringCase(body, 'operations') : undefined
  if (!Array.isArray(list) || list.length === 0)
    throw new ScimRefusal('invalidSyntax', 'The request has no Operations.')
  const operations = list.flatMap((item) => parseOperation(item, id))
  if (operations.length > maxOperations)
    throw new ScimRefusal('tooMany', `A request has at most ${maxOperations} operations.`)
  return operations
}

function parseOperation(item: unknown, id: string): Operation[] {
  const op = isJsonObject(item) ? String(propertyIgnoringCase(item, 'op')).toLowerCase() : ''
  if (!isJsonObject(item) || !isOperation(op))
    throw new ScimRefusal('invalidSyntax', 'An operation is one of add, replace and remove.')
  const [path, value] = [propertyIgnoringCase(item, 'path'), propertyIgnoringCase(item, 'value')]
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw new ScimRefusal('invalidPath', 'The path is not text.')
    const parsed = parsePath(path)
    if (readOnly.has(parsed.attribute)) throw readOnlyRefusal(parsed.attribute)
    if (op !== 'remove' && value === undefined)
      throw new ScimRefusal('invalidValue', `${path}: the operation has no value.`)
    return [{ op, path: parsed, value }]
  }
  if (op === 'remove') throw new ScimRefusal('noTarget', 'A removal needs a path.')
  if (!isJsonObject(value))
    throw new ScimRefusal('invalidValue', 'An operation without a path needs an object as value.')
  return Object.entries(value).flatMap(([name, part]) => {
    const parsed = parsePath(name)
    // Providers repeat the id and the schemas of the resource.
    if (parsed.attribute === 'id' && part !== id) throw readOnlyRefusal('id')
    return readOnly.has(parsed.attribute) ? [] : [{ op, path: parsed, value: part }]
  })
}

function readOnlyRefusal(attribute: string): ScimRefusal {
  return new ScimRefusal('mutability', `${attribute}: this attribute cannot be changed.`)
}

/** Checks the schemas of a body: they may be missing, but otherwise must include the expected one. @throws ScimRefusal invalidSyntax */
export function requireSchema(body: unknown, schema: string): void {
  const schemas = isJsonObject(body) ? propertyIgnoringCase(body, 'schemas') : undefined
  if (schemas === undefined || schemas === null) return
  const names = asList(schemas).map((name) => String(name).toLowerCase())
  if (names.length > 0 && !names.includes(schema.toLowerCase()))
    throw new ScimRefusal('invalidSyntax', `schemas: ${schema} is missing.`)
}

const isOperation = (op: string): op is Operation['op'] =>
  op === 'add' || op === 'replace' || op === 'remove'

/** Canonical spelling of attributes, by lower-case name. All others are left out. */
export type AttributeNames = Readonly<Record<string, string>>

/**
 * The resource after the operations; attributes not in `spelling` are ignored, because they are not stored. @throws
 * ScimRefusal
 */
export function applyPatch(
  resource: Json,
  operations: readonly Operation[],
  attributeNames: AttributeNames,
): Json {
  const result = structuredClone(resource)
  for (const operation of operations) {
    const { path } = operation
    const name =
      path && Object.hasOwn(attributeNames, path.attribute)
        ? attributeNames[path.attribute]
        : undefined
    if (!path || name === undefined) continue
    if (path.filter) changeElements(result, name, { ...operation, path, filter: path.filter })
    else if (path.subAttribute !== undefined)
      changeSubAttribute(result, name, path.subAttribute, operation)
    else changeAttribute(result, name, operation)
  }
  return result
}

function changeAttribute(resource: Json, name: string, { op, value }: Operation): void {
  const present = resource[name]
  if (op === 'remove' || value === null) {
    delete resource[name]
    return
  }
  if (Array.isArray(present) && op === 'add') {
    const added = asList(value)
    const isPrimary = added.some((item) => isJsonObject(item) && isTrue(item.primary))
    const existing = isPrimary ? present.map(withoutPrimary) : present
    resource[name] = [...existing, ...added]
  } else if (isJsonObject(present) && isJsonObject(value))
    resource[name] = { ...present, ...lowerCaseKeys(value) }
  else resource[name] = isJsonObject(value) ? lowerCaseKeys(value) : value
}

function changeSubAttribute(
  resource: Json,
  name: string,
  sub: string,
  { op, value }: Operation,
): void {
  const present = resource[name]
  const part = op === 'remove' ? undefined : value
  if (Array.isArray(present)) {
    if (present.length === 0 && part !== undefined) resource[name] = [{ [sub]: part }]
    for (const item of present) if (isJsonObject(item)) item[sub] = part
    return
  }
  resource[name] = { ...(isJsonObject(present) ? present : {}), [sub]: part }
}

function changeElements(
  resource: Json,
  name: string,
  { op, path, value, filter }: Operation & { path: Path; filter: Filter },
): void {
  const items = Array.isArray(resource[name]) ? resource[name].filter(isJsonObject) : []
  const targets = items.filter((item) => matches(item, filter, path.attribute))
  if (op === 'remove') {
    if (path.subAttribute === undefined)
      resource[name] = items.filter((item) => !targets.includes(item))
    else for (const item of targets) delete item[path.subAttribute]
    return
  }
  if (targets.length === 0) {
    const element = newElement(op, filter)
    items.push(element)
    targets.push(element)
  }
  for (const item of targets)
    Object.assign(
      item,
      path.subAttribute === undefined ? lowerCaseKeys(value) : { [path.subAttribute]: value },
    )
  resource[name] = items
}

/**
 * The element that an operation adds if none matches. Entra replaces `emails[type eq "work"].value` of users without
 * one, so `replace` also adds an element of that type.
 * @throws ScimRefusal noTarget
 */
function newElement(op: Operation['op'], filter: Filter): Json {
  const terms = equalityTerms(filter)
  const isElementType = terms?.every(({ attribute }) => ['type', 'primary'].includes(attribute))
  if (!terms || (op === 'replace' && !isElementType))
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
      return isComparisonTrue(item[filter.attribute], filter.comparison, filter.value)
  }
}

function isComparisonTrue(
  current: unknown,
  comparison: Comparison,
  expected: FilterValue,
): boolean {
  if (typeof expected === 'boolean')
    return (
      ['eq', 'ne'].includes(comparison) && (isTrue(current) === expected) === (comparison === 'eq')
    )
  const [text, other] = [current, expected].map((value) => String(value ?? '').toLowerCase()) as [
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

export function isJsonObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Finds a member case-insensitively, because SCIM attribute names ignore case. */
export function propertyIgnoringCase(object: Json, lowerName: string): unknown {
  const name = Object.keys(object).find((key) => key.toLowerCase() === lowerName)
  return name === undefined ? undefined : object[name]
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

function withoutPrimary(item: unknown): unknown {
  return isJsonObject(item) ? { ...item, primary: false } : item
}

function lowerCaseKeys(value: unknown): Json {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name.toLowerCase(), part]))
}
