import { Refusal } from '../../kernel/refusal.ts'
import type { ReadContext } from '../context.ts'
import type { Presenter } from '../entry.ts'
import type { ItemTable, Resource, Row } from '../../records/resource.ts'

/** The operation that reads one item of a kind, and its argument for the item. */
interface ItemReader<T extends ItemTable> {
  operation: string
  argument: string
  /** The field of the answer that holds the item, if the answer has others; the item's fields are merged with them. */
  field?: string
  /** Value of the argument; default: the id of the row. */
  idOf?: (row: Row<T>) => string
  /** Further arguments: the parent item. */
  with?: (row: Row<T>) => Record<string, unknown>
}

interface PresenterDefinition<T extends ItemTable> {
  /** The operation that lists such entries: keys that may not call it do not get these rows. */
  operation: string
  /** Visible rows as entries of that list, in their order; omits rows that the list would omit. */
  entries(ctx: ReadContext, rows: Row<T>[]): Promise<object[]> | object[]
  /** The visible rows with these ids; default: those of the resource. */
  find?(ctx: ReadContext, ids: readonly string[]): Promise<Map<string, Row<T>>>
  /** Reader of one item, if an operation provides one; default: its entry in the list. */
  get?: ItemReader<T>
}

/** Declares the presentation of a resource's rows. A module lists its presenters in its index.ts. */
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
  /** The resource of the parent items, and the column that refers to the item. */
  resource: Resource<P>
  by: keyof Row<T> & string
  /** Rows of one visible item, as entries. */
  entries(ctx: ReadContext, item: Row<P>, rows: Row<T>[]): Promise<object[]>
}

/** A presenter of rows that are shown with their parent item: `entries` is called once per item. */
export function partPresenter<T extends ItemTable, P extends ItemTable>(
  resource: Resource<T>,
  { resource: of, by, entries, ...rest }: PartDefinition<T, P>,
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
 * Items of one kind as list entries, by id, without those that the caller cannot see.
 * @throws Refusal invalid_argument where no list has such items, permission_denied where the caller's key may not
 * call it
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
  const refusal = ctx.refusalFor(ctx.catalogue.requireEntry(presenter.operation))
  if (refusal) throw refusal
  return presenter.entries(ctx, ids)
}
