import type { z } from 'zod'
import type { ConnectSetup } from '../web/shapes/connections.ts'
import { omitNullish } from '../../kernel/present.ts'
import type { App } from '../../operations/app.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Client } from '../../assistants/client.ts'
import { clientOf, clients, setupOf } from '../../assistants/clients.ts'
import {
  InvalidTarget,
  mcpUrl,
  placeholder,
  selectionOf,
  sseUrl,
  type Selection,
} from '../../assistants/target.ts'
import { answerJson } from '../transport/answers.ts'
import { authenticate } from './auth.ts'
import { byMethod, refusedAfter } from '../transport/methods.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'

const parameterNames = ['client', 'preset', 'toolsets', 'readonly']

/**
 * Connection instructions for assistant programs, for a page that shows them. They contain a placeholder instead of a
 * key: the user inserts the key, and it never appears in an answer.
 */
export function connectPage(app: App): WebPage {
  const page: WebPage = async (incoming) => {
    await authenticate(app, incoming, 'api')
    return answerJson(incoming, 200, JSON.stringify(connectAnswer(app, incoming)))
  }
  return byMethod(
    { GET: page },
    { otherwise: refusedAfter((incoming) => authenticate(app, incoming, 'api')) },
  )
}

/** Answer to the query of a request. @throws Refusal invalid_argument */
export function connectAnswer(
  app: App,
  { url }: Pick<Incoming, 'url'>,
): z.infer<typeof ConnectSetup> {
  const fields = connectParamsOf(url.searchParams)
  const selection = readSelection(app, fields)
  const baseUrl = app.baseUrl || url.origin
  const target = {
    baseUrl,
    selection,
    key: { text: placeholder },
    name: 'workspace',
    bridge: ['workspace', 'mcp'],
  }
  const selectedClients = fields.client === undefined ? clients : [requireClient(fields.client)]
  return {
    base_url: baseUrl,
    mcp_url: mcpUrl(baseUrl, selection),
    sse_url: sseUrl(baseUrl, selection),
    key_placeholder: placeholder,
    clients: selectedClients.map((client) => setupOf(client, target)),
  }
}

function requireClient(text: string): Client {
  const client = clientOf(text)
  if (client) return client
  throw invalidConnectField(
    'client',
    `unknown program ${JSON.stringify(text.slice(0, 80))}.`,
    `Known: ${clients.map((item) => item.id).join(', ')}.`,
  )
}

function connectParamsOf(query: URLSearchParams): Partial<Record<string, string>> {
  for (const name of new Set(query.keys())) {
    if (!parameterNames.includes(name))
      throw invalidConnectField(
        name.slice(0, 80),
        'is not known.',
        `Known: ${parameterNames.join(', ')}.`,
      )
    if (query.getAll(name).length > 1)
      throw invalidConnectField(name, 'the query contains it more than once.')
  }
  return Object.fromEntries(query)
}

function readSelection(
  app: App,
  { preset, toolsets, readonly }: Partial<Record<string, string>>,
): Selection {
  const modules = ['all', ...app.catalogue.toolsets]
  try {
    const selection = selectionOf({ preset, toolsets, readonly })
    const unknown = selection.toolsets?.find(
      (name) => !modules.includes(name.replace(/:r[ow]$/, '')),
    )
    if (unknown !== undefined)
      throw invalidConnectField(
        'toolsets',
        `unknown module ${unknown}.`,
        `Known: ${modules.join(', ')}.`,
      )
    return selection
  } catch (error) {
    if (error instanceof InvalidTarget) throw invalidConnectField(error.field, error.message)
    throw error
  }
}

function invalidConnectField(field: string, message: string, hint?: string): Refusal {
  return new Refusal(
    'invalid_argument',
    `${field}: ${message}`,
    omitNullish({
      field,
      hint,
    }),
  )
}
