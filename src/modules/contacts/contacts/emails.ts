import { domainToASCII } from 'node:url'

const maxAddressLength = 320

/**
 * Parses an email address into the form that is stored and compared: lower case, with an ASCII domain. Also accepts
 * `Name <address>` and `mailto:` addresses.
 * @returns undefined if the text is not an email address
 */
export function parseEmail(text: string): string | undefined {
  const bare = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text
  const address = bare.trim().replace(/^mailto:/i, '')
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).normalize('NFC').toLowerCase()
  if (
    at < 1 ||
    address.length > maxAddressLength ||
    !/^[^\s@<>,;:"()[\]\\]+$/.test(local) ||
    /^\.|\.$|\.\./.test(local)
  )
    return undefined
  const domain = domainToASCII(address.slice(at + 1).replace(/\.$/, '')).toLowerCase()
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) && !/(^|\.)-|-(\.|$)/.test(domain)
    ? `${local}@${domain}`
    : undefined
}

const dotInsensitiveDomains = new Set(['gmail.com', 'googlemail.com'])

/** The mailbox that an address delivers to: without the part after a plus and, for Gmail, without dots. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const local = email.slice(0, at).replace(/(?<=.)\+.*$/, '')
  return dotInsensitiveDomains.has(domain)
    ? `${local.replaceAll('.', '')}@gmail.com`
    : `${local}@${domain}`
}
