import { randomInt } from 'node:crypto'

const suffixCharacters = '0123456789abcdefghjkmnpqrstvwxyz'

export const slugPattern = /^[a-z0-9](?:[a-z0-9-]{1,98}[a-z0-9])$/

/** The letters and digits of a title in the form allowed in an address; '' if there are none. */
function slugOf(title: string): string {
  const plain = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 60)
    .replace(/-+$/, '')
}

/** A default address: the title, with a suffix that makes it unique and hard to guess. */
export function newSlug(title: string): string {
  const suffix = Array.from(
    { length: 8 },
    () => suffixCharacters[randomInt(suffixCharacters.length)],
  ).join('')
  return [slugOf(title), suffix].filter((part) => part !== '').join('-')
}
