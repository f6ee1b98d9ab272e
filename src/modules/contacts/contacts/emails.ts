import { domainToASCII } from 'node:url'

const maxAddressLength = 320

/**
 * An email address as it is stored and compared: lower case, its domain in the ASCII form of international names; from
 * `Name <address>` the address.
 * @returns undefined where the text is none
 */
export function readEmail(text: string): string | undefined {
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

const withoutDots = new Set(['gmail.com', 'googlemail.com'])

/** The mailbox that an address leads to: without the part behind a plus, and of Gmail without dots. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const local = email.slice(0, at).replace(/(?<=.)\+.*$/, '')
  return withoutDots.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`
}
