import { foldText } from '../../../kernel/text/folded-text.ts'

/**
 * A test for texts that contain all words of a query, in any order and as parts of longer words. Ignores case,
 * accents and character width: `strasse` matches Straße.
 */
export function wordFilter(query: string): (text: string) => boolean {
  const words = foldText(query).match(/\S+/g) ?? []
  return (text) => {
    const folded = foldText(text)
    return words.every((word) => folded.includes(word))
  }
}
