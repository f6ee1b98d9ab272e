import type { CatalogueView } from '../../../operations/entry.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { itemResources, type ItemRef } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'

// Loads an item as conditions and templates see it: the response of its get operation to the automation's owner.

/** A call that returns an item. */
export interface ItemLookup {
  tool: string
  args: Record<string, unknown>
  /** Finds the item in the answer. */
  pick(answer: unknown): unknown
}

type Call = (tool: string, args: Record<string, unknown>) => Promise<unknown>

/** Operation nouns of items whose events use a shorter name. */
const operationNouns: Record<string, string> = { thread: 'email_thread' }

/** get_task for a task: the operation of that name, if it needs only the item's id. */
function getOperationOf(
  catalogue: CatalogueView,
  type: string,
): { tool: string; argument: string } | undefined {
  const entry = catalogue.find(
    `get_${Object.hasOwn(operationNouns, type) ? operationNouns[type] : type}`,
  )
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

/** List operations for items without a get operation; the item is located by its creation time. */
const listTools: Record<
  string,
  { tool: string; parentField: string; present?: (item: ListedItem) => object }
> = {
  form_response: { tool: 'list_form_responses', parentField: 'form_id', present: withValues },
  message: { tool: 'list_messages', parentField: 'channel_id' },
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

/** The get or list operation that returns items of a type. */
export function readerToolOf(catalogue: CatalogueView, type: string): string | undefined {
  return (
    getOperationOf(catalogue, type)?.tool ??
    (Object.hasOwn(listTools, type)
      ? catalogue.find(listTools[type]!.tool)?.operation.name
      : undefined)
  )
}

export async function itemLookupFor(
  ctx: ReadContext,
  item: ItemRef,
): Promise<ItemLookup | undefined> {
  const getOperation = getOperationOf(ctx.catalogue, item.type)
  if (getOperation)
    return {
      tool: getOperation.tool,
      args: { [getOperation.argument]: item.id },
      pick: (answer) => answer,
    }
  const list = Object.hasOwn(listTools, item.type) ? listTools[item.type] : undefined
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
    args: {
      [list.parentField]: row[list.parentField],
      after: iso(at - 1),
      before: iso(at + 1),
      limit: 100,
    },
    pick,
  }
}

/** The item as returned by the call; if it cannot be read, only its name. */
export async function loadItem(
  call: Call,
  item: ItemRef,
  lookup: ItemLookup | undefined,
): Promise<unknown> {
  if (!lookup) return item
  try {
    return lookup.pick(await call(lookup.tool, lookup.args)) ?? item
  } catch (error) {
    if (error instanceof Refusal && ['not_found', 'permission_denied'].includes(error.code))
      return item
    throw error
  }
}
