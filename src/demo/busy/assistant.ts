// Tools of an assistant in the busy demo: its connection, its dice, and the items that it has created.

export type CallOutcome =
  | { ok: true; value: unknown }
  | { ok: false; code: string; message: string; context: Record<string, unknown> }

/** Calls an operation over a connection of the assistant's own. Rejects where the connection is refused or broken. */
export type Call = (tool: string, args: Record<string, unknown>) => Promise<CallOutcome>

/** Something that the assistant made and takes away again once it has made enough of the kind. */
interface Made {
  tool: string
  args: Record<string, unknown>
}

/** Things of one kind that an assistant leaves lying, the latest ones. */
const maxKept = 6

export interface Assistant {
  readonly call: Call
  /** A throw of its dice: 0 to sides - 1. */
  readonly dice: (sides: number) => number
  /** Values that persist between acts. */
  readonly memory: Map<string, string>
  readonly made: Map<string, Made[]>
}

/** Something an assistant does: what it did in words, or nothing where there was nothing to do. */
export type Act = (by: Assistant) => Promise<string | undefined>

export function newAssistant(call: Call, dice: (sides: number) => number): Assistant {
  return { call, dice, memory: new Map(), made: new Map() }
}

/** The value of a call; undefined where the server refuses it, as it may when people have changed things meanwhile. */
export async function valueOfCall<T = object>(
  { call }: Assistant,
  tool: string,
  args: Record<string, unknown>,
): Promise<T | undefined> {
  const outcome = await call(tool, args)
  return outcome.ok ? (outcome.value as T) : undefined
}

/** Remembers what was made and how it is removed, and removes the oldest of its kind beyond the latest six. */
export async function keepLatest(by: Assistant, kind: string, item: Made): Promise<void> {
  const items = by.made.get(kind) ?? []
  items.push(item)
  by.made.set(kind, items)
  const oldest = items.length > maxKept ? items.shift() : undefined
  if (oldest) await by.call(oldest.tool, oldest.args) // refused where a person has removed it already
}

/** One of a list, by the dice. */
export function pick<T>({ dice }: Assistant, list: readonly T[]): T | undefined {
  return list[dice(Math.max(1, list.length))]
}
