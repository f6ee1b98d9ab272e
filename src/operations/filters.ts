import { sql } from 'kysely'
import { z } from 'zod'
import { datetime } from '../kernel/fields.ts'
import { invalid, type Refusal } from '../kernel/refusal.ts'
import { parseInstant } from '../kernel/time/times.ts'
import type { ItemTable, Row, Scoped, TableName } from '../records/resource.ts'
import type { RowParams } from './any-operation.ts'
import { resolveRows } from './call/named-rows.ts'
import type { ReadContext } from './context.ts'
import type { ResolvedRow } from './operation.ts'
import { wireParams } from './schemas.ts'

// A list filter is declared once, as its input and its condition. Its argument, its field in filter objects (of bulk
// operations, of export links) and its condition all follow from that.

type AnyRowParam = RowParams[string]
type Argument = AnyRowParam | z.ZodType

/**
 * An argument that is resolved before it becomes a condition, such as a moment in the caller's time zone or a field
 * of a row.
 */
export interface ResolvedInput<A extends Argument, V> {
  readonly argument: A
  /** @throws Refusal if the value is invalid; undefined means no filter */
  read(
    value: NonNullable<ArgumentOf<A>>,
    ctx: ReadContext,
    field: string,
  ): V | undefined | Promise<V | undefined>
}

export function resolvedInput<A extends Argument, V>(
  argument: A,
  read: ResolvedInput<A, V>['read'],
) {
  return { argument, read } satisfies ResolvedInput<A, V>
}

type Input = Argument | ResolvedInput<Argument, unknown>
type ArgumentTypeOf<I> = I extends ResolvedInput<infer A, unknown> ? A : I

/** Value that a handler receives for an argument. */
type ArgumentOf<A> = A extends z.ZodType ? z.output<A> : ResolvedRow<A>

/** Value that a filter's condition receives: ids for rows, the result of a resolved input, else the value itself. */
type ValueOf<I> =
  I extends ResolvedInput<Argument, infer V>
    ? V
    : I extends z.ZodType
      ? NonNullable<z.output<I>>
      : IdsOf<NonNullable<ResolvedRow<I>>>
type IdsOf<R> = R extends readonly { id: infer D }[] ? D[] : R extends { id: infer D } ? D : never

/** The rows that the filters name, for `on`. */
type OnOf<F> = {
  [K in keyof F as ArgumentTypeOf<F[K]> extends z.ZodType ? never : K]: Extract<
    ArgumentTypeOf<F[K]>,
    AnyRowParam
  >
}
/** The other filters, for `input`. */
type InputOf<F> = {
  [K in keyof F as ArgumentTypeOf<F[K]> extends z.ZodType ? K : never]: Extract<
    ArgumentTypeOf<F[K]>,
    z.ZodType
  >
}
type ArgumentsOf<F> = { [K in keyof F]?: ArgumentOf<ArgumentTypeOf<F[K]>> | undefined }
type Values<F> = { [K in keyof F]?: ValueOf<F[K]> }

/**
 * Input of each filter of a table (`input`), and the condition built from it. `C`: the context that the
 * conditions receive.
 */
type FilterDefinitions<T extends TableName, F, C> = {
  [K in keyof F]: {
    input: F[K]
    where(query: Scoped<T>, value: ValueOf<F[K]>, context: C): Scoped<T>
  }
}

interface AnyFilter<T extends TableName, C> {
  input: Input
  where(query: Scoped<T>, value: unknown, context: C): Scoped<T>
}

/** Filters of one list, or of several with the same items. */
export class ListFilters<T extends TableName, F, C> {
  readonly on: OnOf<F>
  readonly input: InputOf<F>
  readonly #definitions: FilterDefinitions<T, F, C>
  readonly #filters: readonly [string, AnyFilter<T, C>][]

  constructor(declared: FilterDefinitions<T, F, C>) {
    this.#definitions = declared
    this.#filters = Object.entries(declared as Record<string, AnyFilter<T, C>>)
    const arguments_ = this.#filters.map(([name, { input }]) => [name, argumentOf(input)] as const)
    const isSchema = ([, argument]: (typeof arguments_)[number]) => argument instanceof z.ZodType
    this.input = Object.fromEntries(arguments_.filter(isSchema)) as InputOf<F>
    this.on = Object.fromEntries(arguments_.filter((item) => !isSchema(item))) as OnOf<F>
  }

  pick<K extends keyof F & string>(...names: K[]): ListFilters<T, Pick<F, K>, C> {
    const picked = Object.fromEntries(names.map((name) => [name, this.#definitions[name]]))
    return new ListFilters<T, Pick<F, K>, C>(picked as FilterDefinitions<T, Pick<F, K>, C>)
  }

  omit<K extends keyof F & string>(...names: K[]): ListFilters<T, Omit<F, K>, C> {
    const rest = Object.entries(this.#definitions).filter(([name]) => !names.includes(name as K))
    return new ListFilters<T, Omit<F, K>, C>(
      Object.fromEntries(rest) as FilterDefinitions<T, Omit<F, K>, C>,
    )
  }

  /**
   * The filters of a call in the form used by their conditions, without those that were not sent.
   * @throws Refusal invalid_argument if a value is invalid or a list is empty
   */
  async read(ctx: ReadContext, args: ArgumentsOf<F>): Promise<Values<F>> {
    const sent = args as Record<string, unknown>
    const values: Record<string, unknown> = {}
    for (const [name, { input }] of this.#filters) {
      const sentValue = sent[name]
      if (sentValue === undefined || sentValue === null) continue
      if (Array.isArray(sentValue) && sentValue.length === 0)
        throw emptyList(this.#wires.get(name) ?? name)
      const value =
        'read' in input ? await input.read(sentValue, ctx, name) : argumentIds(input, sentValue)
      if (value !== undefined) values[name] = value
    }
    return values as Values<F>
  }

  /** The rows that match all filters. */
  apply(query: Scoped<T>, values: Values<F>, context: C): Scoped<T> {
    const valuesByName = values as Record<string, unknown>
    return this.#filters.reduce(
      (filteredQuery, [name, filter]) =>
        valuesByName[name] === undefined
          ? filteredQuery
          : filter.where(filteredQuery, valuesByName[name], context),
      query,
    )
  }

  /** The filters as one object schema, with ids as in requests. */
  get object(): z.ZodObject<Record<string, z.ZodType>> {
    const id = z.string().min(1).max(320)
    const ids = wireParams(this.on).map(({ wire, param }) => {
      const isList = 'modeName' in param && param.modeName.startsWith('many')
      return [wire, isList ? z.array(id).max(20).optional() : id.optional()]
    })
    return z.strictObject({ ...Object.fromEntries(ids), ...this.input })
  }

  /**
   * The call arguments for such an object; `field` is its name in refusals.
   * @throws Refusal if an id names nothing that the caller can see
   */
  async resolve(
    ctx: ReadContext,
    object: Record<string, unknown>,
    field: string,
  ): Promise<ArgumentsOf<F>> {
    const args = { ...object }
    const rows = await resolveRows(ctx, wireParams(this.on), args, { at: `${field}.` })
    return { ...args, ...rows } as ArgumentsOf<F>
  }

  /** Request names of row filters, by filter name. */
  get #wires(): ReadonlyMap<string, string> {
    return new Map(wireParams(this.on).map(({ key, wire }) => [key, wire]))
  }

  /** The arguments of a call as a filter object. */
  toObject(args: ArgumentsOf<F>): Record<string, unknown> {
    const wires = this.#wires
    return Object.fromEntries(
      Object.entries<unknown>(args).map(([name, value]) => {
        const wire = wires.get(name)
        return wire === undefined ? [name, value] : [wire, rowIds(value)]
      }),
    )
  }
}

/** Filter values in the form used by conditions: ids of visible rows, moments in milliseconds. */
export type FilterValues<D> = D extends ListFilters<TableName, infer F, unknown> ? Values<F> : never

/** The call arguments that filters read. */
export type FilterArguments<D> =
  D extends ListFilters<TableName, infer F, unknown> ? ArgumentsOf<F> : never

/** Declares the filters of lists of a table. */
export function filters<T extends TableName, F extends Record<string, Input>>(
  _table: T,
  declared: FilterDefinitions<T, F, ReadContext>,
): ListFilters<T, F, ReadContext> {
  return new ListFilters<T, F, ReadContext>(declared)
}

/** Declares filters whose conditions get another context than the call's: `filtersGiven<Plan>()('tasks', { … })`. */
export function filtersWith<C>() {
  return <T extends TableName, F extends Record<string, Input>>(
    _table: T,
    declared: FilterDefinitions<T, F, C>,
  ): ListFilters<T, F, C> => new ListFilters<T, F, C>(declared)
}

/** Applies the filters of a call to the rows of a list. @throws Refusal if a value is invalid */
export async function applyFilters<T extends TableName, F>(
  ctx: ReadContext,
  query: Scoped<T>,
  listFilters: ListFilters<T, F, ReadContext>,
  args: ArgumentsOf<F>,
): Promise<Scoped<T>> {
  return listFilters.apply(query, await listFilters.read(ctx, args), ctx)
}

/**
 * Like applyFilters(), but as a function to apply to a search later; undefined if there are no filters.
 * @throws Refusal where a value cannot be read
 */
export async function filterFunction<T extends TableName, F>(
  ctx: ReadContext,
  listFilters: ListFilters<T, F, ReadContext>,
  args: ArgumentsOf<F>,
): Promise<((query: Scoped<T>) => Scoped<T>) | undefined> {
  const values = await listFilters.read(ctx, args)
  if (Object.keys(values).length === 0) return undefined
  return (query) => listFilters.apply(query, values, ctx)
}

/** The refusal for an empty list that should select items. */
export function emptyList(field: string): Refusal {
  return invalid(
    field,
    'an empty list names nothing.',
    'Leave it out if it should not apply, or name at least one value.',
  )
}

/** A moment argument. A day means its start or its end in the caller's time zone. */
export function moment(edge: 'start' | 'end', about?: string) {
  const text = datetime().optional()
  return resolvedInput(about === undefined ? text : text.describe(about), (value, ctx, field) =>
    parseInstant(value, ctx.actor.timezone, edge, field),
  )
}

/** Rows with this value in a column; for named rows, their id. */
export function equals<T extends TableName, A extends Argument>(column: string, input: A) {
  return {
    input,
    where: (query: Scoped<T>, value: ValueOf<A>) => query.where(sql.ref(column), '=', value),
  }
}

/** Rows that have one of these values in a column. */
export function oneOf<T extends TableName, A extends z.ZodType<readonly string[] | undefined>>(
  column: string,
  input: A,
) {
  return {
    input,
    where: (query: Scoped<T>, values: ValueOf<A>) => query.where(sql.ref(column), 'in', values),
  }
}

/** At or after this moment. */
export function since<T extends TableName>(column: string, about?: string) {
  return {
    input: moment('start', about),
    where: (query: Scoped<T>, at: number) => query.where(sql.ref(column), '>=', at),
  }
}

/** At or before this moment; for a day, until its end. */
export function until<T extends TableName>(column: string, about?: string) {
  return {
    input: moment('end', about),
    where: (query: Scoped<T>, at: number) => query.where(sql.ref(column), '<=', at),
  }
}

function argumentOf(input: Input): Argument {
  return 'read' in input ? input.argument : input
}

function argumentIds(argument: Argument, value: unknown): unknown {
  return argument instanceof z.ZodType ? value : rowIds(value)
}

function rowIds(rows: unknown): unknown {
  if (rows === undefined || rows === null) return rows
  const { id } = rows as Partial<Row<ItemTable>>
  return Array.isArray(rows) ? rows.map(rowIds) : id
}
