import { isLoopback } from '../../kernel/networks.ts'

/** An address of a name, and whether it is reachable from the internet. */
export interface NamedAddress {
  address: string
  isPublic: boolean
}

/** The addresses of a host; empty if it has none. */
export type AddressesOf = (host: string) => Promise<NamedAddress[]>

/** Problem that hosted assistants have with an address, and its remedy. */
export interface AddressTrouble {
  says: string
  fix: string
  /** No assistant that signs in can connect there. */
  isBlocking?: true
}

/** Finds problems that are visible from an address alone. */
export async function addressTroubles(
  url: URL,
  addressesOf: AddressesOf,
): Promise<AddressTrouble[]> {
  if (isLoopback(url.hostname)) return []
  if (url.protocol !== 'https:')
    return [
      {
        says: `${url.origin} is not https: hosted assistants do not connect to it.`,
        fix: 'put a proxy with a certificate in front of it, or use --tls-cert and --tls-key, and set --base-url to the https address',
        isBlocking: true,
      },
    ]
  const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, ''))
  return [portTrouble(url), nameTrouble(url, addresses)].filter((trouble) => trouble !== undefined)
}

function portTrouble({ origin, port }: URL): AddressTrouble | undefined {
  if (port === '') return undefined
  return {
    says: `${origin} is on port ${port}: Claude and others only call port 443.`,
    fix: 'serve the public address on port 443',
  }
}

function nameTrouble(
  { hostname }: URL,
  addresses: readonly NamedAddress[],
): AddressTrouble | undefined {
  if (addresses.length === 0)
    return {
      says: `${hostname} is not in the DNS of this machine.`,
      fix: 'add an A record for the public address',
    }
  const privateAddresses = addresses.filter(({ isPublic }) => !isPublic)
  if (privateAddresses.length > 0)
    return {
      says: `${hostname} leads to ${privateAddresses.map(({ address }) => address).join(', ')}, as seen from here: hosted assistants cannot reach private addresses.`,
      fix: 'add an A record with the public address; if the internet sees another one, this is in order',
    }
  if (addresses.every(({ address }) => address.includes(':')))
    return {
      says: `${hostname} has no IPv4 address: Claude calls over IPv4 only.`,
      fix: 'add an A record',
    }
  return undefined
}
