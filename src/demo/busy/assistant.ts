// Tools of an assistant in the busy demo: its connection, its dice, and the items that it has created.

export type CallOutcome =
  | { ok: true; value: unknown }
  | { ok: false; code: string; message: string; context: Record<string, unknown> }

/** Calls an operation over the assistant's own connection. Rejects if the connection is refused or broken. */
export type Call = (tool: string, args: Record<string, unknown>) => Promise<CallOutcome>

/** An item that the assistant created and removes once there are enough of its kind. */
interface CreatedItem {
  tool: string
  args: Record<string, unknown>
}

/** Items of each kind that an assistant keeps, the latest ones. */
const maxKept = 6

export interface Assistant {
  readonly call: Call
  /** Its random generator: 0 to sides - 1. */
  readonly dice: (sides: number) => number
  /** Values that persist between actions. */
  readonly memory: Map<string, string>
  readonly createdByKind: Map<string, CreatedItem[]>
}

/** An action of an assistant: returns a description, or undefined if there was nothing to do. */
export type Action = (assistant: Assistant) => Promise<string | undefined>

export function newAssistant(call: Call, dice: (sides: number) => number): Assistant {
  return { call, dice, memory: new Map(), createdByKind: new Map() }
}

/** The value of a call; undefined if the server refuses it, as it may when people have changed things meanwhile. */
export async function valueOfCall<T = object>(
  { call }: Assistant,
  tool: string,
  args: Record<string, unknown>,
): Promise<T | undefined> {
  const outcome = await call(tool, args)
  return outcome.ok ? (outcome.value as T) : undefined
}

/** Records a created item and its removal, and removes the oldest of its kind beyond the latest six. */
export async function keepLatest(
  assistant: Assistant,
  kind: string,
  item: CreatedItem,
): Promise<void> {
  const items = assistant.createdByKind.get(kind) ?? []
  items.push(item)
  assistant.createdByKind.set(kind, items)
  const oldest = items.length > maxKept ? items.shift() : undefined
  if (oldest) await assistant.call(oldest.tool, oldest.args) // refused if a person has removed it already
}

/** Picks a random element. */
export function pick<T>({ dice }: Assistant, list: readonly T[]): T | undefined {
  return list[dice(Math.max(1, list.length))]
}
