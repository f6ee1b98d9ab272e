import { randomInt } from 'node:crypto'

const letters = '0123456789abcdefghjkmnpqrstvwxyz'

export const slugPattern = /^[a-z0-9](?:[a-z0-9-]{1,98}[a-z0-9])$/

/** The letters of a title that an address may have; '' where there are none. */
function slugOf(title: string): string {
  const plain = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 60)
    .replace(/-+$/, '')
}

/** An address for a page that was given none: its title, and what makes it neither taken nor guessed. */
export function newSlug(title: string): string {
  const tail = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
  return [slugOf(title), tail].filter((part) => part !== '').join('-')
}
