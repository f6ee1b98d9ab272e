// PATCH of SCIM (RFC 7644, 3.5.2) on a resource as JSON, in the dialects that providers speak: operations in any case, values
// without a path, dotted names in such values, booleans as text, and a replacement of what is not there.

import { equalities, parsePath, type Filter, type FilterValue, type Path } from './filter.ts'
import { ScimRefusal } from './refusals.ts'

export type Json = Record<string, unknown>

export interface Operation {
  op: 'add' | 'replace' | 'remove'
  /** Undefined: the members of the value name what is changed. */
  path: Path | undefined
  value: unknown
}

const maxOperations = 1000

/**
 * The operations of a PATCH; a value without a path is taken apart into one operation for each of its members.
 * @throws ScimRefusal invalidSyntax, invalidPath or noTarget
 */
export function operationsIn(body: unknown): Operation[] {
  const list = isObject(body) ? memberOf(body, 'operations') : undefined
  if (!Array.isArray(list) || list.length === 0)
    throw new ScimRefusal('invalidSyntax', 'The request has no Operations.')
  const operations = list.flatMap(operationIn)
  if (operations.length > maxOperations)
    throw new ScimRefusal('tooMany', `A request has at most ${maxOperations} operations.`)
  return operations
}

function operationIn(given: unknown): Operation[] {
  const op = isObject(given) ? String(memberOf(given, 'op')).toLowerCase() : ''
  if (!isObject(given) || !isOperation(op))
    throw new ScimRefusal('invalidSyntax', 'An operation is one of add, replace and remove.')
  const [path, value] = [memberOf(given, 'path'), memberOf(given, 'value')]
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw new ScimRefusal('invalidPath', 'The path is not text.')
    return [{ op, path: parsePath(path), value }]
  }
  if (op === 'remove') throw new ScimRefusal('noTarget', 'A removal needs a path.')
  if (!isObject(value))
    throw new ScimRefusal('invalidValue', 'An operation without a path needs an object as value.')
  return Object.entries(value).map(([name, part]) => ({ op, path: parsePath(name), value: part }))
}

const isOperation = (op: string): op is Operation['op'] =>
  op === 'add' || op === 'replace' || op === 'remove'

/** How attributes are spelled, by their names in lower case. What is not among them is left out. */
export type Spelling = Readonly<Record<string, string>>

/** The resource after the operations; attributes that are not in `spelling` are passed over, as we keep none of them. @throws ScimRefusal */
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
    const isPrimary = added.some((item) => isObject(item) && isTrue(item.primary))
    const kept = isPrimary ? present.map(withoutPrimary) : present
    resource[name] = [...kept, ...added]
  } else if (isObject(present) && isObject(value))
    resource[name] = { ...present, ...lowerNames(value) }
  else resource[name] = isObject(value) ? lowerNames(value) : value
}

function changePart(resource: Json, name: string, sub: string, { op, value }: Operation): void {
  const present = resource[name]
  const part = op === 'remove' ? undefined : value
  if (Array.isArray(present)) {
    if (present.length === 0 && part !== undefined) resource[name] = [{ [sub]: part }]
    for (const item of present) if (isObject(item)) item[sub] = part
    return
  }
  resource[name] = { ...(isObject(present) ? present : {}), [sub]: part }
}

function changeElements(
  resource: Json,
  name: string,
  { op, path, value, filter }: Operation & { path: Path; filter: Filter },
): void {
  const items = Array.isArray(resource[name]) ? resource[name].filter(isObject) : []
  const targets = items.filter((item) => matches(item, filter))
  if (op === 'remove') {
    if (path.sub === undefined) resource[name] = items.filter((item) => !targets.includes(item))
    else for (const item of targets) delete item[path.sub]
    return
  }
  if (targets.length === 0) {
    // Providers replace what is not there yet: it is made from what the filter says of it.
    const made = Object.fromEntries(
      (equalities(filter) ?? []).map((term) => [term.attribute, term.value]),
    )
    items.push(made)
    targets.push(made)
  }
  for (const item of targets)
    Object.assign(item, path.sub === undefined ? lowerNames(value) : { [path.sub]: value })
  resource[name] = items
}

/** Whether an element of a list is meant by a filter. Texts are compared without regard to case. */
function matches(item: Json, filter: Filter): boolean {
  if (filter.kind === 'and') return matches(item, filter.left) && matches(item, filter.right)
  if (filter.kind === 'or') return matches(item, filter.left) || matches(item, filter.right)
  if (filter.kind === 'not') return !matches(item, filter.of)
  if (filter.kind === 'within') return false
  const present = item[filter.attribute]
  if (filter.kind === 'present') return present !== undefined && present !== null
  return filter.comparison === 'ne'
    ? !isSame(present, filter.value)
    : filter.comparison === 'eq' && isSame(present, filter.value)
}

function isSame(present: unknown, wanted: FilterValue): boolean {
  if (typeof wanted === 'boolean') return isTrue(present) === wanted
  return String(present ?? '').toLowerCase() === String(wanted ?? '').toLowerCase()
}

/** Entra sends booleans as text. */
export function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member whatever its case, as attribute names of SCIM have none. */
export function memberOf(object: Json, lowerName: string): unknown {
  const name = Object.keys(object).find((key) => key.toLowerCase() === lowerName)
  return name === undefined ? undefined : object[name]
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

function withoutPrimary(item: unknown): unknown {
  return isObject(item) ? { ...item, primary: false } : item
}

function lowerNames(value: unknown): Json {
  if (!isObject(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name.toLowerCase(), part]))
}
