import { omitNullish } from '../kernel/present.ts'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { Refusal } from '../kernel/refusal.ts'
import { connect, startTls } from './connect.ts'
import { Guard, Unreachable, type GuardOptions, type Target } from './guard.ts'
import { bareHost, isPublicName, canonicalHost } from './hosts.ts'
import type { DnsRecords, NamedServer } from './names.ts'
import { exchangeOnce, type OutboundResponse, type OutboundRequest } from './request.ts'
import { Slots } from './slots.ts'

/** The allowed ports for each purpose, for every host. */
const ports = { web: [443, 80, 8443], mail: [993, 465, 587, 143], dav: [443] } as const

export type Purpose = keyof typeof ports

export interface OutboundOptions extends GuardOptions {
  /** DNS records other than addresses; without it there are none. */
  directory?: DnsRecords
  /** Logs a failed connection with the reason, which is not exposed anywhere else. */
  logFailure: (message: string, more: Record<string, unknown>) => void
  /** Certificates trusted instead of the default ones; for tests. */
  ca?: string | undefined
}

export interface OutboundLimits {
  /** Total milliseconds; default 10 seconds. */
  timeoutMs?: number
  /** Maximum bytes of the response; default 64 KiB. */
  maxBytes?: number
  signal?: AbortSignal
  purpose?: Purpose
}

const defaultTimeoutMs = 10_000
const defaultMaxBytes = 64 * 1024
const maxPerTarget = 2
const maxTotal = 20

/** The only access to the network: all outbound traffic goes through here (enforced by test/imports.test.ts). */
export class Outbound {
  readonly #guard: Guard
  readonly #options: OutboundOptions
  readonly #slots = new Slots(maxPerTarget, maxTotal)

  constructor(options: OutboundOptions) {
    this.#options = options
    this.#guard = new Guard(options)
  }

  /**
   * Refuses an address that this instance would not connect to, at configuration time; `field` is the argument.
   * @throws Refusal blocked_address; invalid_argument if it is not a web address
   */
  async checkUrl(text: string, field: string): Promise<void> {
    const url = parseWebUrl(text)
    if (!url)
      throw new Refusal(
        'invalid_argument',
        `${field}: must be a web address (http or https), without a name and password in it.`,
        { field },
      )
    await this.#check(toTarget(url), field, 'web')
  }

  /** Like checkUrl(), for a host and a port, such as a mail server's. */
  async checkHost(host: string, port: number, field: string, purpose: Purpose): Promise<void> {
    await this.#check({ host: canonicalHost(host) ?? '', port }, field, purpose)
  }

  /**
   * Sends an HTTP request. Redirects are not followed.
   * @throws Unreachable
   */
  async request(
    text: string,
    request: OutboundRequest,
    {
      timeoutMs = defaultTimeoutMs,
      maxBytes = defaultMaxBytes,
      signal,
      purpose = 'web',
    }: OutboundLimits = {},
  ): Promise<OutboundResponse> {
    const url = parseWebUrl(text)
    if (!url) throw new Unreachable({ host: '', port: 0 }, 'blocked')
    const target = toTarget(url)
    return this.#withSlot(target, timeoutMs, signal, async (end) => {
      const socket = await this.#connectTo(target, ports[purpose], url.protocol === 'https:', end, [
        'http/1.1',
      ])
      return exchangeOnce(target, url, socket, request, maxBytes, end)
    })
  }

  /**
   * A connection for another protocol (IMAP, SMTP). The time limit applies until it is established; after that, the
   * caller closes it.
   * @throws Unreachable
   */
  connect(
    host: string,
    port: number,
    {
      tls,
      purpose = 'mail',
      timeoutMs = defaultTimeoutMs,
      signal,
    }: OutboundLimits & { tls: boolean },
  ): Promise<Socket> {
    const target = { host: canonicalHost(host) ?? '', port }
    return this.#withSlot(target, timeoutMs, signal, (end) =>
      this.#connectTo(target, ports[purpose], tls, end),
    )
  }

  /** Upgrades such a connection to TLS (STARTTLS). @throws Unreachable */
  startTls(
    host: string,
    port: number,
    socket: Socket,
    { timeoutMs = defaultTimeoutMs, signal }: OutboundLimits = {},
  ): Promise<TLSSocket> {
    const target = { host: canonicalHost(host) ?? '', port }
    return this.#withSlot(target, timeoutMs, signal, (end) =>
      startTls(target, socket, end, { ca: this.#options.ca }),
    )
  }

  /**
   * The servers that a domain declares for a service (SRV), such as `_imaps._tcp`; empty if it declares none.
   * Connections to them are checked like others.
   */
  services(
    service: `_${string}._tcp`,
    domain: string,
    { timeoutMs = defaultTimeoutMs, signal }: Pick<OutboundLimits, 'timeoutMs' | 'signal'> = {},
  ): Promise<NamedServer[]> {
    return this.#lookUp(domain, timeoutMs, signal, (directory, end) =>
      directory.services(`${service}.${domain}`, end),
    )
  }

  /** The mail servers of a domain (MX), which identify its provider. */
  mailHosts(
    domain: string,
    { timeoutMs = defaultTimeoutMs, signal }: Pick<OutboundLimits, 'timeoutMs' | 'signal'> = {},
  ): Promise<string[]> {
    return this.#lookUp(domain, timeoutMs, signal, (directory, end) =>
      directory.mailHosts(domain, end),
    )
  }

  async #lookUp<T>(
    domain: string,
    within: number,
    signal: AbortSignal | undefined,
    query: (directory: DnsRecords, end: AbortSignal) => Promise<T[]>,
  ): Promise<T[]> {
    const { directory, enabled } = this.#options
    if (!directory || !enabled || !isPublicName(domain)) return []
    const timeout = AbortSignal.timeout(within)
    return query(directory, signal ? AbortSignal.any([timeout, signal]) : timeout)
  }

  async #connectTo(
    target: Target,
    allowedPorts: readonly number[],
    tls: boolean,
    signal: AbortSignal,
    protocols?: string[],
  ): Promise<Socket> {
    const socket = await connect(this.#guard, target, allowedPorts, signal)
    return tls
      ? startTls(target, socket, signal, omitNullish({ ca: this.#options.ca, protocols }))
      : socket
  }

  async #check(target: Target, field: string, purpose: Purpose): Promise<void> {
    try {
      await this.#guard.addressesOf(target, ports[purpose], AbortSignal.timeout(defaultTimeoutMs))
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      this.#logFailure(error)
      throw error.reason === 'off'
        ? switchedOffRefusal(field)
        : blockedRefusal(target, field, purpose)
    }
  }

  async #withSlot<T>(
    target: Target,
    within: number,
    signal: AbortSignal | undefined,
    work: (end: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const time = AbortSignal.timeout(within)
    const end = signal ? AbortSignal.any([time, signal]) : time
    let release: (() => void) | undefined
    try {
      release = await this.#slots.take(`${target.host}:${target.port}`, end)
      return await work(end)
    } catch (error) {
      const failure =
        error instanceof Unreachable && !end.aborted
          ? error
          : new Unreachable(target, requestFailureReason(time, signal), error)
      this.#logFailure(failure)
      throw failure
    } finally {
      release?.()
    }
  }

  #logFailure({ target, reason, cause }: Unreachable): void {
    const why = cause instanceof Error ? cause.message.slice(0, 200) : undefined
    this.#options.logFailure(
      reason === 'blocked' ? 'an outgoing connection was blocked' : 'an outgoing connection failed',
      omitNullish({
        host: target.host.slice(0, 255),
        port: target.port,
        reason,
        why: why || undefined,
      }),
    )
  }
}

function parseWebUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.hostname !== ''
    ? url
    : undefined
}

function toTarget(url: URL): Target {
  return {
    host: bareHost(url.hostname),
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  }
}

/** The same message for a local address, a closed port, and an unknown name. */
function blockedRefusal({ host, port }: Target, field: string, purpose: Purpose): Refusal {
  const allowedPorts = ports[purpose].join(', ')
  return new Refusal(
    'blocked_address',
    `${field}: ${host.slice(0, 255) || 'this'}, port ${port}, is not an allowed address on the public internet.`,
    {
      field,
      hint: `Allowed ports: ${allowedPorts}. The operator can allow others, and private hosts, with --outbound-allow host:port.`,
      context: { host: host.slice(0, 255) },
    },
  )
}

function switchedOffRefusal(field: string): Refusal {
  return new Refusal(
    'blocked_address',
    `${field}: outgoing connections are switched off (--outbound no).`,
    { field },
  )
}

function requestFailureReason(time: AbortSignal, signal: AbortSignal | undefined) {
  if (time.aborted) return 'timeout'
  return signal?.aborted ? 'cancelled' : 'refused'
}
