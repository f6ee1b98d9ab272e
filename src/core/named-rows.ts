import type { Entry } from './catalogue.ts'
import type { WriteContext } from './context.ts'
import { AnyItemNeed, findItem } from './items.ts'
import { notFound } from './refusal.ts'
import type { ItemTable, Mode, Need, Row } from './resource.ts'
import { withTrash } from './sight.ts'

type Touch = (item: { type: string; id: string }) => void
type Rows = Record<string, unknown>

/**
 * The rows that a call names, by the key under which its handler gets them; their ids are taken out of `args`. `touch` is told
 * of each.
 * @throws Refusal not_found, or permission_denied for what is only seen
 */
export async function namedRows(entry: Entry, args: Record<string, unknown>, ctx: WriteContext, touch: Touch): Promise<Rows> {
  const rows: Rows = {}
  for (const { wire, key, need } of entry.schemas.needs) {
    const given = args[wire]
    delete args[wire]
    rows[key] = need instanceof AnyItemNeed ? await itemNamed(ctx, need, given, wire, touch) : await rowsNamed(ctx, need, given, wire, rows, touch)
  }
  return rows
}

async function itemNamed(ctx: WriteContext, need: AnyItemNeed<boolean>, given: unknown, wire: string, touch: Touch): Promise<unknown> {
  if (given === undefined) return undefined
  const item = await findItem(ctx, given as string, need.level, wire)
  if (need.types && !need.types.includes(item.resource.definition.type)) throw notFound(need.types.join(' or '), wire)
  touch({ type: item.resource.definition.type, id: item.row.id })
  return item
}

async function rowsNamed(ctx: WriteContext, need: Need<ItemTable, Mode>, given: unknown, wire: string, rows: Rows, touch: Touch): Promise<unknown> {
  if (given === undefined || given === null) return given
  if (!Array.isArray(given)) return rowNamed(ctx, need, given as string, wire, rows, touch)
  const found: { id: string }[] = []
  for (const [i, text] of (given as string[]).entries()) {
    const row = await rowNamed(ctx, need, text, `${wire}[${i}]`, rows, touch)
    if (!found.some(one => one.id === row.id)) found.push(row)
  }
  return found
}

async function rowNamed(ctx: WriteContext, need: Need<ItemTable, Mode>, text: string, wire: string, rows: Rows, touch: Touch): Promise<{ id: string }> {
  const { resource, inside } = need
  const row = (await resource.demand(need.trash ? withTrash(ctx) : ctx, text, need.level, wire)) as Row<ItemTable> & { id: string }
  if (inside && (row as unknown as Record<string, unknown>)[inside.by] !== (rows[inside.of] as { id: string } | undefined)?.id) throw notFound(resource.name, wire)
  touch({ type: resource.definition.type, id: row.id })
  return row
}
