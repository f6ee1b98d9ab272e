const maxKeyLength = 500

/** Key for sorting and comparing names: lower case, without accents, white space folded. */
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

/** Derives a name from an email address if no name is known: `jane.doe@acme.com` becomes Jane Doe. */
export function nameFromEmail(email: string): string {
  const words = email
    .slice(0, email.indexOf('@'))
    .replace(/\+.*$/, '')
    .split(/[._-]+/)
    .filter(Boolean)
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') || email
}
