import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Addresses that begin with the same bits. */
export interface Network {
  readonly base: Address
  readonly bits: number
}

/**
 * `10.0.0.0/8, 192.0.2.7, fd00::/8` as networks; an address alone is a network of one.
 * @returns undefined where it is no such list
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

/** An address in the one spelling that it has everywhere here: IPv4 that came over IPv6 as IPv4, no zone. Undefined for what is none. */
export function plainAddress(text: string): string | undefined {
  return parseIpAddress(text)?.toString()
}

function parseIpAddress(text: string): Address | undefined {
  const written = text.replace(/%.*$/, '')
  const isOne = ipaddr.IPv4.isValidFourPartDecimal(written) || ipaddr.IPv6.isValid(written)
  return isOne ? ipaddr.process(written) : undefined
}

/** The names of the machine itself, as addresses of pages have them. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address or name, in small letters, is of the machine itself. */
export function isLoopback(host: string): boolean {
  return loopbackNames.includes(host) || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
