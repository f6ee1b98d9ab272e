import { isIP } from 'node:net'
import { isLoopback } from '../../kernel/networks.ts'
import { isPublic } from '../../outbound/addresses.ts'

/** Reachability of a workspace, as far as its address shows. */
export interface Reachability {
  url: string
  /** Warnings about assistants that cannot reach it, with a remedy; empty if assistants everywhere can. */
  warnings: string[]
}

/** Assesses the address used in links and in the configuration of assistants. */
export function reachabilityOf(baseUrl: string): Reachability {
  const { protocol, hostname } = new URL(baseUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  const unreachable = unreachableWarning(host)
  const cleartext =
    protocol === 'http:' && !isLoopback(host)
      ? 'This address begins with http://, so others on the network can read keys and passwords, and many assistants refuse it.'
      : undefined
  return {
    url: baseUrl,
    warnings: [unreachable, cleartext].flatMap((item) => (item ? [`${item} ${remedy}`] : [])),
  }
}

const remedy = 'Start the server with --base-url https:// and its public name.'

function unreachableWarning(host: string): string | undefined {
  if (isLoopback(host) || host.endsWith('.localhost'))
    return 'Only programs on this machine can reach this address; assistants elsewhere, such as in a browser or on a phone, cannot.'
  if (isIP(host) !== 0)
    return isPublic(host)
      ? undefined
      : 'This is a private network address: assistants outside that network cannot reach it.'
  if (!host.includes('.'))
    return 'This name has no domain: it is known only in your own network, and assistants outside cannot reach it.'
  return localNames.test(host)
    ? 'This name belongs to a private network: assistants outside it cannot reach it.'
    : undefined
}

/**
 * Suffixes of names unknown to public name servers (RFC 6761, 6762, 8375, and those that ICANN reserves for
 * networks).
 */
const localNames =
  /\.(local|lan|internal|intranet|home\.arpa|home|corp|private|test|example|invalid)$/
