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

/** Kinds of entities and relations, and predicates, as they are kept: `Works at`, `worksAt` and `works-at` are works_at. */
export function wordKey(text: string): string {
  const words =
    text
      .normalize('NFKC')
      .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words.join('_')
}

/** A kind of relation or a predicate as words of a sentence. */
export function asWords(key: string): string {
  return key.replaceAll('_', ' ')
}

/** Values that differ only in marks and the order of case: `Acme, GmbH` and `ACME GmbH`. */
export function looseKey(value: string): string {
  return (nameKey(value).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}
