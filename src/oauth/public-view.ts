import { isIP } from 'node:net'
import { isPublic } from '../outbound/addresses.ts'
import { createLookup } from '../outbound/names.ts'

const timeoutMs = 3000

/** Addresses of a host, and which of them are reachable from the internet; empty if the host has none. */
export async function addressesWithVisibility(
  host: string,
): Promise<{ address: string; isPublic: boolean }[]> {
  const addresses =
    isIP(host) === 0 ? await createLookup([])(host, AbortSignal.timeout(timeoutMs)) : [host]
  return addresses.map((address) => ({ address, isPublic: isPublic(address) }))
}
