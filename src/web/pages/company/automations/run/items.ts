/** The id or key of an item that was typed or pasted, also as its address; undefined where nothing was. */
export function itemIn(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  const path = URL.canParse(text) ? new URL(text).pathname : text
  return path
    .split('/')
    .filter((part) => part !== '')
    .at(-1)
}
