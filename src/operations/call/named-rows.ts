import type { Entry } from '../entry.ts'
import { AnyItemParam, findItem } from '../../records/items.ts'
import { columnOf } from '../../records/row.ts'
import { notFound } from '../../kernel/refusal.ts'
import { isId } from '../../kernel/ids.ts'
import type { NameOptions } from '../../records/lookup/names.ts'
import type { ResourceDefinition } from '../../records/resource-definition.ts'
import {
  resourceOf,
  type ItemTable,
  type Mode,
  type RowParam,
  type Row,
} from '../../records/resource.ts'
import type { WireParam } from '../schemas.ts'
import { withTrash, type Viewer } from '../../records/access-scope.ts'

type Touch = (item: { type: string; id: string }) => void
type Rows = Record<string, unknown>

/**
 * The rows that a call names, by the handler's key for them; removes their ids from `args`. Passes each row to `touch`.
 * @throws Refusal not_found, invalid_argument if a name matches several rows, or permission_denied if the caller can
 * see a row but not use it like this
 */
export async function resolveOperationRows(
  entry: Entry,
  args: Record<string, unknown>,
  ctx: Viewer,
  touch: Touch,
): Promise<Rows> {
  const exact = entry.operation.kind === 'destructive'
  return resolveRows(ctx, entry.schemas.params, args, { touch, exact })
}

/**
 * Like namedRows(), for any parameters. `exact`: names must match exactly; `at`: prefix of the argument in refusals.
 * @throws Refusal as namedRows()
 */
export async function resolveRows(
  ctx: Viewer,
  params: readonly WireParam[],
  args: Record<string, unknown>,
  {
    touch = () => {},
    exact = false,
    at: fieldPrefix = '',
  }: { touch?: Touch; exact?: boolean; at?: string },
): Promise<Rows> {
  const rows: Rows = {}
  const resolve = async ({ wire, key, param }: WireParam) => {
    const argument = args[wire]
    const field = `${fieldPrefix}${wire}`
    delete args[wire]
    rows[key] =
      param instanceof AnyItemParam
        ? await resolveItem(ctx, param, argument, field, touch)
        : await resolveRowOrRows(ctx, param, argument, { wire: field, rows, touch, exact })
  }
  const isContained = ({ wire, param }: WireParam) =>
    !(param instanceof AnyItemParam) && needsContainer(param, args[wire])
  const contained = params.filter(isContained) // names within a project are looked up once the project is known
  for (const param of params) if (!contained.includes(param)) await resolve(param)
  for (const wireParam of contained) await resolve(wireParam)
  return rows
}

interface ResolveOptions {
  wire: string
  rows: Rows
  touch: Touch
  exact: boolean
}

async function resolveItem(
  ctx: Viewer,
  param: AnyItemParam<boolean>,
  input: unknown,
  wire: string,
  touch: Touch,
): Promise<unknown> {
  if (input === undefined) return undefined
  const item = await findItem(ctx, input as string, param.level, wire)
  if (param.types && !param.types.includes(item.resource.definition.type))
    throw notFound(param.types.join(' or '), wire)
  touch({ type: item.resource.definition.type, id: item.row.id })
  return item
}

async function resolveRowOrRows(
  ctx: Viewer,
  param: RowParam<ItemTable, Mode>,
  argument: unknown,
  options: ResolveOptions,
): Promise<unknown> {
  if (argument === undefined || argument === null) return argument
  if (!Array.isArray(argument))
    return resolveRow(ctx, param, argument as string, options.wire, options)
  const uniqueRows: { id: string }[] = []
  for (const [i, text] of (argument as string[]).entries()) {
    const row = await resolveRow(ctx, param, text, `${options.wire}[${i}]`, options)
    if (!uniqueRows.some((item) => item.id === row.id)) uniqueRows.push(row)
  }
  return uniqueRows
}

async function resolveRow(
  ctx: Viewer,
  param: RowParam<ItemTable, Mode>,
  text: string,
  wire: string,
  { rows, touch, exact }: ResolveOptions,
): Promise<{ id: string }> {
  const { resource, inside } = param
  const from = param.trash ? withTrash(ctx) : ctx
  const options = isId(resource.definition.prefix, text)
    ? {}
    : { exact, among: param.among, outside: param.outside, within: containerOf(param, rows) }
  const row = (await resource.demand(from, text, param.level, wire, options)) as Row<ItemTable> & {
    id: string
  }
  if (inside && columnOf(row, inside.by) !== (rows[inside.of] as { id: string } | undefined)?.id)
    throw notFound(resource.name, wire)
  touch({ type: resource.definition.type, id: row.id })
  return row
}

/** True if an argument uses names that are unique only within a container. */
function needsContainer({ resource, inside }: RowParam<ItemTable, Mode>, input: unknown): boolean {
  if (!resource.definition.names?.within || inside) return false
  return [input]
    .flat()
    .some((text) => typeof text === 'string' && !isId(resource.definition.prefix, text))
}

/**
 * Container in which a name is looked up first: the row that it must belong to, else one derived from the other rows
 * that the call names.
 */
function containerOf(
  { resource, inside }: RowParam<ItemTable, Mode>,
  rows: Rows,
): NameOptions<ItemTable>['within'] {
  if (!inside) return containerIn(resource, rows)
  const id = (rows[inside.of] as { id: string } | undefined)?.id
  return id === undefined ? undefined : { column: inside.by as keyof Row<ItemTable> & string, id }
}

/**
 * Container in which names are looked up, derived from the rows resolved so far: the project itself,
 * else the project of one of them.
 */
function containerIn(
  { definition }: { readonly definition: ResourceDefinition<ItemTable> },
  rows: Rows,
): NameOptions<ItemTable>['within'] {
  const { names } = definition
  if (!names?.within) return undefined
  const { column, table } = names.within
  const all = Object.values(rows)
    .flat()
    .filter((item) => item !== null && typeof item === 'object') as Record<string, unknown>[]
  const container = all.find((item) => isId(resourceOf(table).definition.prefix, String(item.id)))
  const id = container?.id ?? all.find((item) => typeof item[column] === 'string')?.[column]
  return id === undefined ? undefined : { column, id: id as string }
}
