const placeholders = /\{\{[ \t]*([A-Za-z_][A-Za-z0-9_.-]{0,63})[ \t]*\}\}/g

/** Variable names in some texts, in order of first appearance. */
export function variablesIn(...texts: readonly string[]): string[] {
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(placeholders)].map(([, name]) => name!))),
  ]
}

/** A text with its variables filled in once: inserted values are not expanded. Variables without a value stay. */
export function fillVariables(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(placeholders, (slot, name: string) => values.get(name) ?? slot)
}
