import type { Compilable, CompiledQuery } from 'kysely'
import { isAdmin, type Actor } from '../kernel/actor.ts'
import { accessScope, accessScopeOf, type Viewer, type AccessScope } from './access-scope.ts'

/** Values of one run; lists contain ids and the like. */
type Values = Record<string, string | number | null | readonly string[]> & { limit?: number }

/** Lists are padded to one of these lengths by repeating their last value, so that there are few variants. */
const lengths = [1, 4, 12, 26, 50, 101, 202, 404]

interface Variant {
  query: CompiledQuery
  slots: ((actor: Actor, now: number, values: Values) => unknown)[]
}

/**
 * A query that is built and compiled once and then run with different values: for the few queries used by every list.
 * Building a query with Kysely costs more than running it. The builder may depend on the actor's role and rights, and
 * on whether their key is limited to some modules, but on nothing else about the actor, the moment or the values
 * except their placement. A value called `limit` stays a number: each limit is a separate statement (dialect.ts
 * explains why).
 */
export function prepared<P extends Values, R>(
  build: (from: AccessScope, values: P) => Compilable<R>,
): (viewer: Viewer, values: P) => Promise<R[]> {
  const variants = new Map<string, Variant>()
  return async (from, values) => {
    const s = accessScopeOf(from)
    const sizes = Object.entries(values).map(([name, value]) => variantOf(name, value))
    const { role, key } = s.actor
    const toolsets = key?.toolsets ? 'some' : 'all'
    const name = `${role} ${isAdmin(s.actor)} ${key ? toolsets : ''} ${s.trash} ${sizes.join(' ')}`
    let variant = variants.get(name)
    if (!variant) variants.set(name, (variant = compile(s, values, build)))
    const parameters = variant.slots.map((slot) => slot(s.actor, s.now, values))
    return (await s.all.executeQuery<R>({ ...variant.query, parameters })).rows
  }
}

/** The part of a variant's name determined by a value. */
function variantOf(name: string, value: unknown): string | number {
  if (Array.isArray(value)) return sizeFor(value.length)
  if (value === null) return 'n'
  return name === 'limit' ? `l${value}` : 'v'
}

function sizeFor(length: number): number {
  const size = lengths.find((value) => value >= length)
  if (!size || length === 0)
    throw new Error(`A hot query takes lists of 1 to ${lengths.at(-1)} values, not ${length}.`)
  return size
}

/** Marks that replace actor, moment and values while the query is built; they are then located among its parameters. */
const parameterMark = (name: string) => `\u0001${name}`
const markedNow = 0.123456789

function compile<P extends Values, R>(
  scope: AccessScope,
  values: P,
  build: (from: AccessScope, values: P) => Compilable<R>,
): Variant {
  const { role, key } = scope.actor
  const ofKey =
    key &&
    only({
      id: parameterMark('key'),
      admin_grant: key.admin_grant,
      toolsets: key.toolsets && only({}),
    })
  const actor = only({
    id: parameterMark('actor'),
    org_id: parameterMark('org'),
    role,
    key: ofKey,
  }) as Actor
  const marked = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, markedValue(name, value)]),
  ) as P
  const compiled = build(
    accessScope({ all: scope.all, actor, now: markedNow, trash: scope.trash }),
    marked,
  ).compile()
  return { query: compiled, slots: compiled.parameters.map(slotOf) }
}

function markedValue(name: string, value: unknown): unknown {
  if (Array.isArray(value))
    return Array.from({ length: sizeFor(value.length) }, (_, i) => parameterMark(`${name}.${i}`))
  return value === null || name === 'limit' ? value : parameterMark(name)
}

/**
 * Permits only these properties: anything else that may differ for the next caller must not be compiled into the
 * query.
 */
function only<T extends object>(parts: T): T {
  return new Proxy(parts, {
    get(target, name) {
      if (name in target) return Reflect.get(target, name) as unknown
      throw new Error(`A query that is compiled once asks for ${String(name)} of its caller.`)
    },
  })
}

function slotOf(parameter: unknown): Variant['slots'][number] {
  if (parameter === markedNow) return (_, now) => now
  if (typeof parameter !== 'string' || !parameter.startsWith('\u0001')) return () => parameter
  const [name, index] = parameter.slice(1).split('.') as [string, string?]
  if (name === 'actor') return (actor) => actor.id
  if (name === 'org') return (actor) => actor.org_id
  if (name === 'key') return (actor) => actor.key!.id
  if (index === undefined) return (_, __, values) => values[name]
  const i = Number(index)
  return (_, __, values) => {
    const list = values[name] as readonly string[]
    return list[Math.min(i, list.length - 1)]
  }
}
