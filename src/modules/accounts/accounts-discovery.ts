import { omitNullish } from '../../kernel/present.ts'
import {
  autoconfigUrls,
  domainOf,
  guessedServers,
  knownProvider,
  readAutoconfig,
  type DiscoveredServers,
  type MailServer,
} from '../../connectors/discovery.ts'
import type { PersonRequest } from '../../operations/endpoints/endpoint.ts'
import { Unreachable } from '../../outbound/guard.ts'

export { domainOf, knownProvider, plainAddress } from '../../connectors/discovery.ts'

/** Servers discovered for an address, and the method that found them. */
export interface Discovered extends DiscoveredServers {
  found: 'provider' | 'domain' | 'autoconfig' | 'guess' | 'nothing'
  /** Opened through Google's consent page. */
  is_google: boolean
}

type NetworkAccess = Pick<PersonRequest, 'outbound' | 'signal'>

/** Time limit for all steps together. */
const totalTimeoutMs = 12_000
const stepTimeoutMs = 4_000

/**
 * Finds the mail and calendar servers of an address: by provider, by its domain's DNS (SRV) and web (autoconfig), and
 * finally at the usual host names. Only TLS and DNS are trusted, and no password is sent.
 */
export async function discover(outside: NetworkAccess, address: string): Promise<Discovered> {
  const domain = domainOf(address)
  const signal = AbortSignal.any([outside.signal, AbortSignal.timeout(totalTimeoutMs)])
  const network = { outbound: outside.outbound, signal }
  const provider =
    knownProvider(address) ??
    knownProvider(
      address,
      await outside.outbound.mailHosts(domain, { timeoutMs: stepTimeoutMs, signal }),
    )
  if (provider) return { ...provider.servers, found: 'provider', is_google: provider.isGoogle }
  const [srvServers, autoconfigServers] = await Promise.all([
    bySrv(network, address),
    byAutoconfig(network, address),
  ])
  const all = { ...autoconfigServers, ...srvServers, login: autoconfigServers?.login ?? address } // the domain's DNS records take precedence
  if (all.imap || all.smtp || all.caldav)
    return {
      ...all,
      found: srvServers.imap || srvServers.smtp || !autoconfigServers ? 'domain' : 'autoconfig',
      is_google: false,
    }
  return byGuess(network, address)
}

async function bySrv(
  { outbound, signal }: NetworkAccess,
  address: string,
): Promise<Partial<DiscoveredServers>> {
  const domain = domainOf(address)
  const firstService = async (service: `_${string}._tcp`) =>
    (await outbound.services(service, domain, { timeoutMs: stepTimeoutMs, signal }))[0]
  const [imaps, imap, smtps, smtp, dav] = await Promise.all(
    (
      [
        '_imaps._tcp',
        '_imap._tcp',
        '_submissions._tcp',
        '_submission._tcp',
        '_caldavs._tcp',
      ] as const
    ).map(firstService),
  )
  const preferImplicitTls = (tls: typeof imaps, start: typeof imaps): MailServer | undefined =>
    tls ? { ...tls, tls: 'tls' } : start && { ...start, tls: 'start' }
  const mail = preferImplicitTls(imaps, imap)
  const out = preferImplicitTls(smtps, smtp)
  return omitNullish({
    imap: mail,
    smtp: out,
    caldav: dav
      ? {
          url: `https://${dav.host}${dav.port === 443 ? '' : `:${dav.port}`}/.well-known/caldav`,
        }
      : undefined,
  })
}

async function byAutoconfig(
  { outbound, signal }: NetworkAccess,
  address: string,
): Promise<DiscoveredServers | undefined> {
  const requests = autoconfigUrls(address).map(async (url) => {
    const { status, body, isTruncated } = await outbound.request(
      url,
      { method: 'GET', headers: { accept: 'application/xml, text/xml' } },
      { timeoutMs: stepTimeoutMs, signal },
    )
    return status === 200 && !isTruncated
      ? readAutoconfig(body.toString('utf8'), address)
      : undefined
  })
  const outcomes = await Promise.allSettled(requests)
  return outcomes
    .map((item) => (item.status === 'fulfilled' ? item.value : undefined))
    .find((item) => item !== undefined)
}

/** A host counts if a server answers there; STARTTLS is verified against the name later, at sign-in. */
async function byGuess(asking: NetworkAccess, address: string): Promise<Discovered> {
  const likely = guessedServers(address)
  const [imap, smtp] = await Promise.all([
    firstReachable(asking, likely.imap),
    firstReachable(asking, likely.smtp),
  ])
  const source = imap || smtp ? 'guess' : 'nothing'
  const note = imap
    ? undefined
    : 'No mail server was found for this address. Enter its IMAP and SMTP servers; your provider can tell you what they are.'
  return omitNullish({
    imap,
    smtp,
    login: address,
    found: source,
    is_google: false,
    note,
  })
}

async function firstReachable(
  { outbound, signal }: NetworkAccess,
  servers: readonly MailServer[],
): Promise<MailServer | undefined> {
  const reachable = await Promise.all(
    servers.map(async ({ host, port, tls }) => {
      try {
        const socket = await outbound.connect(host, port, {
          tls: tls === 'tls',
          purpose: 'mail',
          timeoutMs: stepTimeoutMs,
          signal,
        })
        socket.destroy()
        return true
      } catch (error) {
        if (error instanceof Unreachable) return false
        throw error
      }
    }),
  )
  return servers.find((_, i) => reachable[i])
}
