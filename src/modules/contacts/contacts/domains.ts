import { domainToASCII } from 'node:url'

/**
 * A company's domain as it is stored and compared, from a domain or a web address: lower case, ASCII, without `www.`.
 * @returns undefined where the text is none
 */
export function readDomain(text: string): string | undefined {
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
