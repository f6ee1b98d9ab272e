import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { exposure, ofStatus, troubleOf, type Trouble } from './trouble.ts'
import { isExposed } from './target.ts'

export interface Checked {
  url: string
  /** Owner of the key; undefined if the key may not even look that up. */
  person: { name: string; email: string } | undefined
  tools: number
  protocol: string
  server: string
  connectMs: number
  listMs: number
}

/** Connects like an assistant. Resolves to the findings or to the problem. */
export async function checkConnection(
  url: string,
  baseUrl: string,
  key: string,
  { allowHttp = false } = {},
): Promise<Checked | Trouble> {
  if (isExposed(url) && !allowHttp) return exposure(url)
  const client = new Client(
    { name: 'workspace-connect', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const headers = { authorization: `Bearer ${key}` }
  const limit = { timeout: 15_000 }
  try {
    const start = performance.now()
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
      limit,
    )
    const connected = performance.now()
    const { tools } = await client.listTools(undefined, limit)
    const listed = performance.now()
    const person = await whoIs(baseUrl, headers)
    if (person && 'advice' in person) return person
    const { name, version } = client.getServerVersion() ?? { name: 'unknown', version: '' }
    return {
      url,
      person,
      tools: tools.length,
      protocol: client.getNegotiatedProtocolVersion() ?? 'unknown',
      server: `${name} ${version}`.trim(),
      connectMs: Math.round(connected - start),
      listMs: Math.round(listed - connected),
    }
  } catch (error) {
    return troubleOf(error, url)
  } finally {
    await client.close().catch(() => undefined) // it may never have been open
  }
}

/**
 * Uses REST, as the tool may not be among those selected. First call of the check: a held key or used-up limit shows
 * here.
 */
async function whoIs(
  baseUrl: string,
  headers: Record<string, string>,
): Promise<Checked['person'] | Trouble> {
  const answer = await fetch(`${baseUrl}/api/me?include=teams`, { headers, redirect: 'manual' })
  if (answer.status === 429) return ofStatus(429, baseUrl, await answer.text())
  if (!answer.ok) return undefined
  const { person } = (await answer.json()) as {
    person?: { name?: string; display_name?: string; email?: string }
  }
  return person?.email
    ? { name: person.name ?? person.display_name ?? person.email, email: person.email }
    : undefined
}
