const slots = /\{\{[ \t]*([A-Za-z_][A-Za-z0-9_.-]{0,63})[ \t]*\}\}/g

/** Names of the variables of some texts, in the order in which they first appear. */
export function variablesIn(...texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(slots)].map(([, name]) => name!)))]
}

/** A text with its variables filled in, once: what a value brings along is text. Those without a value stay as they stand. */
export function filledIn(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(slots, (slot, name: string) => values.get(name) ?? slot)
}
