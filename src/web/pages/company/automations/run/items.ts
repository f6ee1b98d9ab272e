/** The id or key in a typed or pasted text, which may be an address; undefined if it is empty. */
export function parseItemRef(input: string): string | undefined {
  const text = input.trim()
  if (text === '') return undefined
  const path = URL.canParse(text) ? new URL(text).pathname : text
  return path
    .split('/')
    .filter((part) => part !== '')
    .at(-1)
}
