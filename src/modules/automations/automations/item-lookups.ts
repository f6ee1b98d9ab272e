import type { CatalogueView } from '../../../operations/entry.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { itemResources, type ItemRef } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'

// Loads an item as conditions and templates see it: the answer of its own get operation to the automation's owner.

/** A call that returns an item. */
export interface ItemLookup {
  tool: string
  args: Record<string, unknown>
  /** Finds the item in the answer. */
  pick(answer: unknown): unknown
}

type Call = (tool: string, args: Record<string, unknown>) => Promise<unknown>

/** Operation nouns of items whose events use a shorter name. */
const calledElse: Record<string, string> = { thread: 'email_thread' }

/** get_task for a task: the operation of that name, if it needs only the item's id. */
function readOperationOf(
  catalogue: CatalogueView,
  type: string,
): { tool: string; argument: string } | undefined {
  const entry = catalogue.find(`get_${Object.hasOwn(calledElse, type) ? calledElse[type] : type}`)
  const required = (entry?.schemas.inputJson.required ?? []) as string[]
  return entry?.operation.kind === 'read' && required.length === 1 && required[0]!.endsWith('_id')
    ? { tool: entry.operation.name, argument: required[0]! }
    : undefined
}

interface ListedItem {
  id: string
  /** Answers of a form response. */
  answers?: { field_id: string; value: unknown }[]
}

/** Items shown only in a list, and which one; found there by creation time. */
const listed: Record<
  string,
  { tool: string; within: string; present?: (item: ListedItem) => object }
> = {
  form_response: { tool: 'list_form_responses', within: 'form_id', present: withValues },
  message: { tool: 'list_messages', within: 'channel_id' },
}

/** Answers by field, so that `item.values.email` works in templates. */
function withValues(response: ListedItem): object {
  return {
    ...response,
    values: Object.fromEntries(
      (response.answers ?? []).map((answer) => [answer.field_id, answer.value]),
    ),
  }
}

/** The operation that returns items of a type, by either way. */
export function readerToolOf(catalogue: CatalogueView, type: string): string | undefined {
  return (
    readOperationOf(catalogue, type)?.tool ??
    (Object.hasOwn(listed, type) ? catalogue.find(listed[type]!.tool)?.operation.name : undefined)
  )
}

export async function readingOf(ctx: ReadContext, item: ItemRef): Promise<ItemLookup | undefined> {
  const reader = readOperationOf(ctx.catalogue, item.type)
  if (reader)
    return { tool: reader.tool, args: { [reader.argument]: item.id }, pick: (answer) => answer }
  const list = Object.hasOwn(listed, item.type) ? listed[item.type] : undefined
  const row =
    list &&
    ((await itemResources()
      .find((itemResource) => itemResource.definition.type === item.type)
      ?.find(ctx, item.id)) as Record<string, unknown> | undefined)
  if (!list || !row) return undefined
  const at = row.created_at as number
  const pick = (answer: unknown) => {
    const listedItem = (answer as { items: ListedItem[] }).items.find(
      (entry) => entry.id === item.id,
    )
    return listedItem && list.present ? list.present(listedItem) : listedItem
  }
  return {
    tool: list.tool,
    args: { [list.within]: row[list.within], after: iso(at - 1), before: iso(at + 1), limit: 100 },
    pick,
  }
}

/** The item as returned by the call; if it cannot be read, only its name. */
export async function itemBy(
  call: Call,
  item: ItemRef,
  reading: ItemLookup | undefined,
): Promise<unknown> {
  if (!reading) return item
  try {
    return reading.pick(await call(reading.tool, reading.args)) ?? item
  } catch (error) {
    if (error instanceof Refusal && ['not_found', 'permission_denied'].includes(error.code))
      return item
    throw error
  }
}
