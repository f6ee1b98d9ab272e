/** Text as it may stand in HTML, in attributes too. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
