import { foldText } from '../../../kernel/text/folded-text.ts'

/**
 * A test for texts that contain a query as a phrase, with the rules of wordFilter. In a separate file, because the
 * first render does not need it.
 */
export function phraseFilter(query: string): (text: string) => boolean {
  const phrase = foldText(query.trim())
  return (text) => foldText(text).includes(phrase)
}
