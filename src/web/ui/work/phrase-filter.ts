import { foldText } from '../../../kernel/text/folded-text.ts'

/** A test for texts that have a query as a phrase, by the rules of wordFilter. Apart from it, as no page of the first look needs it. */
export function phraseFilter(query: string): (text: string) => boolean {
  const phrase = foldText(query.trim())
  return (text) => foldText(text).includes(phrase)
}
