import { present } from '../../kernel/present.ts'
import { isInNetworks, plainAddress, type Network } from '../../kernel/networks.ts'

/** Sender of a request, and facts known only from the proxies in between. */
export interface Sender {
  /** The address of the one who began the request, as far as those tell who are believed. */
  ip: string
  /** Whether it came by https all the way, as far as is known. */
  isSecure: boolean
  /** Whether a proxy that is believed has passed it on. */
  isProxied: boolean
  /** The host that it was sent to, where a proxy says that. */
  host?: string
}

type Header = (name: string) => string | undefined

/** The proxies in front. Only those that were named are believed: anybody can write these headers. */
export class Proxies {
  readonly #networks: readonly Network[]

  constructor(networks: readonly Network[]) {
    this.#networks = networks
  }

  get areNamed(): boolean {
    return this.#networks.length > 0
  }

  trusts(address: string): boolean {
    return this.areNamed && isInNetworks(address, this.#networks)
  }

  /** `peer`: who the connection is from. `isEncrypted`: whether that connection is. */
  senderOf(peer: string, isEncrypted: boolean, header: Header): Sender {
    if (!this.trusts(peer))
      return { ip: plainPeerOf(peer), isSecure: isEncrypted, isProxied: false }
    const host = last(header('x-forwarded-host'))
    return present({
      ip: this.#first(peer, header('x-forwarded-for')),
      isSecure: last(header('x-forwarded-proto'))?.toLowerCase() === 'https',
      isProxied: true,
      host,
    })
  }

  /** Each proxy writes behind what it got: from the end, the first address that is none of the named, for whatever stands before it anybody may have written. */
  #first(peer: string, chain = ''): string {
    let ip = plainPeerOf(peer)
    for (const hop of chain.split(',').reverse()) {
      const address = plainAddress(withoutPort(hop.trim()))
      if (address === undefined) return ip
      ip = address
      if (!this.trusts(ip)) return ip
    }
    return ip
  }
}

function plainPeerOf(peer: string): string {
  return peer.includes(':') ? (plainAddress(peer) ?? peer) : peer
}

/** Value added by the nearest proxy. */
function last(list: string | undefined): string | undefined {
  return list?.split(',').at(-1)?.trim() || undefined
}

function withoutPort(hop: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop
}
