import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { exposedTrouble, troubleOfStatus, troubleOf, type Trouble } from './trouble.ts'
import { isExposed } from './target.ts'

export interface ConnectionReport {
  url: string
  /** Owner of the key; undefined if the key may not even look that up. */
  person: { name: string; email: string } | undefined
  tools: number
  protocol: string
  server: string
  connectMs: number
  listMs: number
}

/** Connects like an assistant. Resolves to a report, or to the trouble if it fails. */
export async function checkConnection(
  url: string,
  baseUrl: string,
  key: string,
  { allowHttp = false } = {},
): Promise<ConnectionReport | Trouble> {
  if (isExposed(url) && !allowHttp) return exposedTrouble(url)
  const client = new Client(
    { name: 'workspace-connect', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const headers = { authorization: `Bearer ${key}` }
  const requestOptions = { timeout: 15_000 }
  try {
    const start = performance.now()
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
      requestOptions,
    )
    const connectedAt = performance.now()
    const { tools } = await client.listTools(undefined, requestOptions)
    const listedAt = performance.now()
    const person = await keyOwner(baseUrl, headers)
    if (person && 'advice' in person) return person
    const { name, version } = client.getServerVersion() ?? { name: 'unknown', version: '' }
    return {
      url,
      person,
      tools: tools.length,
      protocol: client.getNegotiatedProtocolVersion() ?? 'unknown',
      server: `${name} ${version}`.trim(),
      connectMs: Math.round(connectedAt - start),
      listMs: Math.round(listedAt - connectedAt),
    }
  } catch (error) {
    return troubleOf(error, url)
  } finally {
    await client.close().catch(() => undefined) // it may never have been open
  }
}

/**
 * Uses REST, as the tool may not be among those selected. It is the only operation called here: a held key or a used-up
 * limit shows up in its response.
 */
async function keyOwner(
  baseUrl: string,
  headers: Record<string, string>,
): Promise<ConnectionReport['person'] | Trouble> {
  const answer = await fetch(`${baseUrl}/api/me?include=teams`, { headers, redirect: 'manual' })
  if (answer.status === 429) return troubleOfStatus(429, baseUrl, await answer.text())
  if (!answer.ok) return undefined
  const { person } = (await answer.json()) as {
    person?: { name?: string; display_name?: string; email?: string }
  }
  return person?.email
    ? { name: person.name ?? person.display_name ?? person.email, email: person.email }
    : undefined
}
