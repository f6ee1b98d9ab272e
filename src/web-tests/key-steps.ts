// Test steps that involve API keys.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Locator, Page } from 'playwright-core'

export const keysPath = '/settings/integrations/api-keys'
export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
export const button = (container: Page | Locator, name: string | RegExp) =>
  container.getByRole('button', { name, exact: true })

/** Connects an assistant to an MCP address. */
export async function connectAssistant({
  url,
  key,
}: {
  url: string
  key: string
}): Promise<Client> {
  const client = new Client(
    { name: 'test-assistant', version: '7' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )
  return client
}

/** The status of a request with a key. */
export const statusOf = async (baseUrl: string, key: string, path = '/api/me') =>
  (await fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` } })).status
