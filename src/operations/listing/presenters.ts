import { Refusal } from '../../kernel/refusal.ts'
import type { ReadContext } from '../context.ts'
import type { Presenter } from '../entry.ts'
import type { ItemTable, Resource, Row } from '../../records/resource.ts'

/** The operation that reads one item of a kind, and its argument that names the item. */
interface ItemReader<T extends ItemTable> {
  operation: string
  argument: string
  /** The field of the answer that holds the item, where the answer holds more; its fields are put beside the rest. */
  field?: string
  /** Value of the argument; default: the id of the row. */
  idOf?: (row: Row<T>) => string
  /** Further arguments: the item that it belongs to. */
  with?: (row: Row<T>) => Record<string, unknown>
}

interface PresenterDefinition<T extends ItemTable> {
  /** The operation whose entries look like this: keys that may not call it do not get such rows. */
  operation: string
  /** Rows that the caller sees as entries of that list, in their order; rows that it would leave out are left out. */
  entries(ctx: ReadContext, rows: Row<T>[]): Promise<object[]> | object[]
  /** The rows of these ids that the caller sees; default: those of the resource. */
  find?(ctx: ReadContext, ids: readonly string[]): Promise<Map<string, Row<T>>>
  /** Reader of one item, if an operation provides one; default: its entry in the list. */
  get?: ItemReader<T>
}

/** Declares how the rows of a resource are presented. A module lists its presenters in its index.ts. */
export function presenter<T extends ItemTable>(
  resource: Resource<T>,
  { operation, entries, find, get }: PresenterDefinition<T>,
): Presenter {
  const rowsOf = find ?? ((ctx: ReadContext, ids: readonly string[]) => resource.among(ctx, ids))
  return {
    type: resource.definition.type,
    operation,
    reader: get?.operation ?? operation,
    async entries(ctx: ReadContext, ids) {
      const rows = await rowsOf(ctx, ids)
      const shapes = await entries(ctx, [...new Set(rows.values())])
      const byId = new Map(shapes.map((shape) => [(shape as { id: string }).id, shape]))
      return new Map(
        ids.flatMap((id) => {
          const row = rows.get(id) as { id: string } | undefined
          const shape = row && (byId.get(id) ?? byId.get(row.id))
          return shape ? [[id, shape]] : []
        }),
      )
    },
    async item(ctx: ReadContext, input) {
      const row = input as Row<T>
      if (!get) return (await entries(ctx, [row]))[0]
      const id = get.idOf?.(row) ?? (row as { id: string }).id
      const args = { ...get.with?.(row), [get.argument]: id }
      const answer = await ctx.call<Record<string, unknown>>(get.operation, args)
      if (get.field === undefined) return answer
      const { [get.field]: item, ...rest } = answer
      return { ...rest, ...(item as object) }
    },
  }
}

interface PartDefinition<T extends ItemTable, P extends ItemTable>
  extends Pick<PresenterDefinition<T>, 'operation' | 'get'> {
  /** The resource of the items that the rows belong to, and the column that names the item. */
  of: Resource<P>
  by: keyof Row<T> & string
  /** Rows of one item that the caller sees, as entries. */
  entries(ctx: ReadContext, item: Row<P>, rows: Row<T>[]): Promise<object[]>
}

/** A presenter of rows that are shown with the item they belong to: `entries` is called once for each item. */
export function partPresenter<T extends ItemTable, P extends ItemTable>(
  resource: Resource<T>,
  { of, by, entries, ...rest }: PartDefinition<T, P>,
): Presenter {
  return presenter(resource, {
    ...rest,
    async entries(ctx, rows) {
      const groups = Map.groupBy(rows, (row) => String(row[by]))
      const items = await of.among(ctx, [...groups.keys()])
      const presented: object[] = []
      for (const [id, group] of groups) {
        const item = items.get(id)
        if (item) presented.push(...(await entries(ctx, item, group)))
      }
      return presented
    },
  })
}

/**
 * Items of one kind as their list shows them, by id, with everything that the caller does not see left out.
 * @throws Refusal invalid_argument where no list has such items, permission_denied where the caller's key may not call it
 */
export async function presentItems(
  ctx: ReadContext,
  type: string,
  ids: readonly string[],
): Promise<Map<string, object>> {
  const presenter = ctx.catalogue.presenters.get(type)
  if (!presenter)
    throw new Refusal('invalid_argument', `There is no list of items of the type ${type}.`, {
      field: 'type',
      hint: `Types: ${[...ctx.catalogue.presenters.keys()].sort().join(', ')}.`,
    })
  const refusal = ctx.refusalFor(ctx.catalogue.demand(presenter.operation))
  if (refusal) throw refusal
  return presenter.entries(ctx, ids)
}
