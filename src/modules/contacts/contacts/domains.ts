import { domainToASCII } from 'node:url'

/**
 * Parses a domain or web address into the stored form of a company's domain: lower case, ASCII, without `www.`.
 * @returns undefined if the text is neither a domain nor a web address
 */
export function parseDomain(text: string): string | undefined {
  const host = text
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
  const domain = domainToASCII(host)
    .toLowerCase()
    .replace(/^www\.(?=[^.]+\.)/, '')
  if (
    domain.length > 253 ||
    !/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/.test(domain) ||
    /(^|\.)-|-(\.|$)|(^|\.)\d+$/.test(domain)
  )
    return undefined
  return domain
}
