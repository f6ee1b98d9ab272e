import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isPublic, isSameAddress } from './addresses.ts'
import type { AllowedDestination } from './allow.ts'
import { isPublicName } from './hosts.ts'
import { systemLookup, type Lookup } from './names.ts'

/** Destination of a connection: a host in the spelling of `canonicalHost`, and a port. */
export interface Target {
  host: string
  port: number
}

/**
 * Why the connection failed: for the log. People get one message for all reasons, so that our network cannot be
 * probed.
 */
export type OutboundFailureReason =
  | 'blocked'
  | 'off'
  | 'name'
  | 'refused'
  | 'timeout'
  | 'tls'
  | 'protocol'
  | 'cancelled'

/** The connection failed. The message is the same for every reason. */
export class Unreachable extends Error {
  readonly reason: OutboundFailureReason
  readonly target: Target

  constructor(target: Target, reason: OutboundFailureReason, cause?: unknown) {
    super(`${target.host} could not be reached.`, cause === undefined ? {} : { cause })
    this.reason = reason
    this.target = target
  }
}

export interface GuardOptions {
  enabled: boolean
  openings: readonly AllowedDestination[]
  resolve: Lookup
  /** Addresses of this instance. */
  ownAddresses: () => readonly Target[]
}

/** Decides which addresses the server may connect to. Checked again for each connection, because DNS records change. */
export class Guard {
  readonly #options: GuardOptions

  constructor(options: GuardOptions) {
    this.#options = options
  }

  /**
   * The addresses of a target, all of them permitted.
   * @throws Unreachable blocked, name or off
   */
  async addressesOf(
    target: Target,
    ports: readonly number[],
    signal: AbortSignal,
  ): Promise<string[]> {
    if (!this.#options.enabled) throw new Unreachable(target, 'off')
    const { host } = target
    const isOpened = this.isExplicitlyAllowed(target)
    if (!isOpened && (!ports.includes(target.port) || (isIP(host) === 0 && !isPublicName(host))))
      throw new Unreachable(target, 'blocked')
    if (
      this.#options
        .ownAddresses()
        .some((ownTarget) => ownTarget.host === host && ownTarget.port === target.port)
    )
      throw new Unreachable(target, 'blocked')
    const addresses =
      isIP(host) !== 0
        ? [host]
        : await (isOpened ? systemLookup : this.#options.resolve)(host, signal)
    if (addresses.length === 0) throw new Unreachable(target, 'name')
    if (!addresses.every((address) => this.permits(target, address)))
      throw new Unreachable(target, 'blocked')
    return addresses
  }

  /** True if an address is permitted for a target. */
  permits(target: Target, address: string): boolean {
    return (
      (this.isExplicitlyAllowed(target) || isPublic(address)) &&
      !this.#isOwnServer(target.port, address)
    )
  }

  isExplicitlyAllowed({ host, port }: Target): boolean {
    return this.#options.openings.some((opening) => opening.host === host && opening.port === port)
  }

  /** True for our own server, at any address of this machine. */
  #isOwnServer(port: number, address: string): boolean {
    if (!this.#options.ownAddresses().some((ownTarget) => ownTarget.port === port)) return false
    const localAddresses = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .map((networkInterfaceInfo) => networkInterfaceInfo.address.replace(/%.*/, ''))
    return (
      /^(127\.|0\.|::1?$)/.test(address) ||
      localAddresses.some((name) => isSameAddress(name, address))
    )
  }
}
