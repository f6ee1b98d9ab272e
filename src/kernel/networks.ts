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
export function readNetworks(text: string): Network[] | undefined {
  const networks = text
    .split(',')
    .map((part) => part.trim())
    .filter((name) => name !== '')
    .map(network)
  return networks.every((item) => item !== undefined) ? networks : undefined
}

function network(text: string): Network | undefined {
  const [written = '', digits] = text.split('/')
  const base = parseIpAddress(written)
  if (!base || (digits !== undefined && !/^\d{1,3}$/.test(digits))) return undefined
  const addressBits = base.kind() === 'ipv4' ? 32 : 128
  const bits = digits === undefined ? addressBits : Number(digits)
  return bits <= addressBits ? { base, bits } : undefined
}

export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const item = parseIpAddress(address)
  return (
    item !== undefined &&
    networks.some(({ base, bits }) => item.kind() === base.kind() && item.match(base, bits))
  )
}

/** An address in canonical spelling: IPv4-mapped IPv6 as IPv4, no zone. Undefined if invalid. */
export function plainAddress(text: string): string | undefined {
  return parseIpAddress(text)?.toString()
}

function parseIpAddress(text: string): Address | undefined {
  const written = text.replace(/%.*$/, '')
  const isOne = ipaddr.IPv4.isValidFourPartDecimal(written) || ipaddr.IPv6.isValid(written)
  return isOne ? ipaddr.process(written) : undefined
}

/** Names of the local machine in URLs. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** Whether a lower-case address or name is the local machine's. */
export function isLoopback(host: string): boolean {
  return loopbackNames.includes(host) || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
