import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

const ranges = (...list: string[]): Range[] => list.map((name) => ipaddr.parseCIDR(name) as Range)

/** Public addresses that are not external: relays, and a cloud address that every machine in it can see. */
const closed4 = ranges('192.0.0.0/24', '192.88.99.0/24', '168.63.129.16/32')

/** Allocated address ranges that embed other addresses (Teredo, 6to4, NAT64) or are reserved for examples and tests. */
const closed6 = ranges(
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
)
const given6 = ipaddr.parseCIDR('2000::/3') as Range

/** True if an address belongs to the public internet and not to a private, local, reserved or translating network. */
export function isPublic(text: string): boolean {
  if (isIP(text) === 0) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return !closed4.some((range) => isInRange(address, range))
  return (
    address.zoneId === undefined &&
    isInRange(address, given6) &&
    !closed6.some((range) => isInRange(address, range))
  )
}

function isInRange(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Range): boolean {
  return (
    address.kind() === network.kind() &&
    (address as ipaddr.IPv6).match(network as ipaddr.IPv6, bits)
  )
}

/** Normalized spelling of an address, for comparison. */
export function sameAddress(name: string, other: string): boolean {
  return (
    isIP(name) !== 0 &&
    isIP(other) !== 0 &&
    ipaddr.process(name).toNormalizedString() === ipaddr.process(other).toNormalizedString()
  )
}
