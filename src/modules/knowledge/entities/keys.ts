const maxKeyLength = 500

/** Key for comparing names and values: lower case, without accents, white space folded. */
export function nameKey(name: string): string {
  const folded = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/\s+/g, ' ')
    .trim()
  return folded.slice(0, maxKeyLength)
}

/** Entity kinds, relation types and predicates in stored form: `Works at`, `worksAt` and `works-at` become works_at. */
export function wordKey(text: string): string {
  const words =
    text
      .normalize('NFKC')
      .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words.join('_')
}

/** A relation type or predicate as words of a sentence. */
export function asWords(key: string): string {
  return key.replaceAll('_', ' ')
}

/** Normalizes values that differ only in punctuation and case: `Acme, GmbH` and `ACME GmbH`. */
export function looseKey(value: string): string {
  return (nameKey(value).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}
