import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Addresses with a common prefix. */
export interface Network {
  readonly base: Address
  readonly bits: number
}

/**
 * Parses `10.0.0.0/8, 192.0.2.7, fd00::/8` as networks; a single address is a network of one.
 * @returns undefined if invalid
 */
export function parseNetworks(text: string): Network[] | undefined {
  const networks = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseNetwork)
  return networks.every((item) => item !== undefined) ? networks : undefined
}

function parseNetwork(text: string): Network | undefined {
  const [addressText = '', digits] = text.split('/')
  const base = parseIpAddress(addressText)
  if (!base || (digits !== undefined && !/^\d{1,3}$/.test(digits))) return undefined
  const addressBits = base.kind() === 'ipv4' ? 32 : 128
  const bits = digits === undefined ? addressBits : Number(digits)
  return bits <= addressBits ? { base, bits } : undefined
}

export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const parsed = parseIpAddress(address)
  return (
    parsed !== undefined &&
    networks.some(({ base, bits }) => parsed.kind() === base.kind() && parsed.match(base, bits))
  )
}

/** An address in canonical spelling: IPv4-mapped IPv6 as IPv4, no zone. Undefined if invalid. */
export function canonicalAddress(text: string): string | undefined {
  return parseIpAddress(text)?.toString()
}

function parseIpAddress(text: string): Address | undefined {
  const withoutZone = text.replace(/%.*$/, '')
  const isValid =
    ipaddr.IPv4.isValidFourPartDecimal(withoutZone) || ipaddr.IPv6.isValid(withoutZone)
  return isValid ? ipaddr.process(withoutZone) : undefined
}

/** Names of the local machine in URLs. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** Whether a lower-case address or name is the local machine's. */
export function isLoopback(host: string): boolean {
  return loopbackNames.includes(host) || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
