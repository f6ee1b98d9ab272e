import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

const parseRanges = (...list: string[]): Range[] =>
  list.map((name) => ipaddr.parseCIDR(name) as Range)

/** Addresses in public ranges that are not external: relays, and an address inside a cloud (Azure's host). */
const blockedIpv4 = parseRanges('192.0.0.0/24', '192.88.99.0/24', '168.63.129.16/32')

/** Allocated address ranges that embed other addresses (Teredo, 6to4, NAT64) or are reserved for examples and tests. */
const blockedIpv6 = parseRanges(
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
)
const globalUnicastIpv6 = ipaddr.parseCIDR('2000::/3') as Range

/** True if an address belongs to the public internet and not to a private, local, reserved or translating network. */
export function isPublic(text: string): boolean {
  if (isIP(text) === 0) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return !blockedIpv4.some((range) => isInRange(address, range))
  return (
    address.zoneId === undefined &&
    isInRange(address, globalUnicastIpv6) &&
    !blockedIpv6.some((range) => isInRange(address, range))
  )
}

function isInRange(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Range): boolean {
  return (
    address.kind() === network.kind() &&
    (address as ipaddr.IPv6).match(network as ipaddr.IPv6, bits)
  )
}

/** Whether two texts are the same IP address in different spellings. */
export function isSameAddress(first: string, other: string): boolean {
  return (
    isIP(first) !== 0 &&
    isIP(other) !== 0 &&
    ipaddr.process(first).toNormalizedString() === ipaddr.process(other).toNormalizedString()
  )
}
