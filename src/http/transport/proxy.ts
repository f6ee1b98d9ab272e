import { omitNullish } from '../../kernel/present.ts'
import { isInNetworks, canonicalAddress, type Network } from '../../kernel/networks.ts'

/** Sender of a request, and facts known only from the proxies in between. */
export interface Sender {
  /** Address of the original client, as reported by trusted proxies. */
  ip: string
  /** Whether it came over https all the way, as far as known. */
  isSecure: boolean
  /** Whether a trusted proxy forwarded it. */
  isProxied: boolean
  /** Original host, if reported by a proxy. */
  host?: string
}

type Header = (name: string) => string | undefined

/** Reverse proxies. Only configured ones are trusted: any client can send these headers. */
export class Proxies {
  readonly #networks: readonly Network[]

  constructor(networks: readonly Network[]) {
    this.#networks = networks
  }

  get areConfigured(): boolean {
    return this.#networks.length > 0
  }

  trusts(address: string): boolean {
    return this.areConfigured && isInNetworks(address, this.#networks)
  }

  /** `peer`: remote end of the connection. `isEncrypted`: whether the connection is encrypted. */
  senderOf(peer: string, isEncrypted: boolean, header: Header): Sender {
    if (!this.trusts(peer))
      return { ip: plainPeerOf(peer), isSecure: isEncrypted, isProxied: false }
    const host = lastValue(header('x-forwarded-host'))
    return omitNullish({
      ip: this.#clientIp(peer, header('x-forwarded-for')),
      isSecure: lastValue(header('x-forwarded-proto'))?.toLowerCase() === 'https',
      isProxied: true,
      host,
    })
  }

  /**
   * Each proxy appends the address it saw: takes the last one that is not a configured proxy, since anything before
   * it may be forged.
   */
  #clientIp(peer: string, chain = ''): string {
    let ip = plainPeerOf(peer)
    for (const hop of chain.split(',').reverse()) {
      const address = canonicalAddress(withoutPort(hop.trim()))
      if (address === undefined) return ip
      ip = address
      if (!this.trusts(ip)) return ip
    }
    return ip
  }
}

function plainPeerOf(peer: string): string {
  return peer.includes(':') ? (canonicalAddress(peer) ?? peer) : peer
}

/** Value added by the nearest proxy. */
function lastValue(list: string | undefined): string | undefined {
  return list?.split(',').at(-1)?.trim() || undefined
}

function withoutPort(hop: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop
}
