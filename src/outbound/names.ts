import { lookup, Resolver } from 'node:dns/promises'

/** The addresses of a name; empty if it has none, or no name server answers. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<string[]>

/** Servers that a name declares for a service, in order of preference. */
export interface NamedServer {
  host: string
  port: number
}

/** Other records of names; empty if no name server answers. */
export interface DnsRecords {
  /** SRV: `_imaps._tcp.example.org`. */
  services(name: string, signal: AbortSignal): Promise<NamedServer[]>
  /** MX: the mail servers of a domain. */
  mailHosts(domain: string, signal: AbortSignal): Promise<string[]>
}

const resolverOptions = { timeout: 1500, tries: 2 }

/**
 * Queries name servers (the system's by default), for public names only. Does not use getaddrinfo, which would block
 * one of the few threads needed for files and keys while a remote name server responds.
 */
export function createLookup(servers: readonly string[]): Lookup {
  return async (name, signal) => {
    const resolver = new Resolver(resolverOptions)
    if (servers.length > 0) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    signal.removeEventListener('abort', cancel)
    return answers.flatMap((item) => (item.status === 'fulfilled' ? item.value : []))
  }
}

/** Queries the same name servers for other records. */
export function createDnsRecords(servers: readonly string[]): DnsRecords {
  const queryRecords = async <T>(
    signal: AbortSignal,
    ask: (resolver: Resolver) => Promise<T[]>,
  ): Promise<T[]> => {
    const resolver = new Resolver(resolverOptions)
    if (servers.length > 0) resolver.setServers(servers)
    const end = () => resolver.cancel()
    signal.addEventListener('abort', end, { once: true })
    const records = await ask(resolver).catch(() => [])
    signal.removeEventListener('abort', end)
    return records
  }
  return {
    async services(name, signal) {
      const records = await queryRecords(signal, (resolver) => resolver.resolveSrv(name))
      return records
        .sort((a, b) => a.priority - b.priority || b.weight - a.weight)
        .flatMap(({ name: host, port }) =>
          host === '' || host === '.' ? [] : [{ host: host.toLowerCase(), port }],
        )
    },
    async mailHosts(domain, signal) {
      const records = await queryRecords(signal, (resolver) => resolver.resolveMx(domain))
      return records
        .sort((a, b) => a.priority - b.priority)
        .map(({ exchange }) => exchange.toLowerCase())
        .filter((host) => host !== '')
    },
  }
}

/** Resolves like other programs on this machine, including its hosts file: for names that the operator has allowed. */
export const systemLookup: Lookup = async (name) => {
  const addresses = await lookup(name, { all: true, verbatim: true }).catch(() => [])
  return addresses.map((lookupAddress) => lookupAddress.address)
}
