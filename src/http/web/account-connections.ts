import { z } from 'zod'
import { connectAnswer } from '../routes/connect.ts'
import { reachabilityOf } from '../transport/reach.ts'
import { ConnectSetup, ReachReport } from './shapes/connections.ts'
import { endpoint, type ServerEndpoint } from './endpoint.ts'

const optionalText = () => z.string().max(500).optional()

const connect = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/connect',
  name: 'get_connect_setup',
  about: 'how to connect assistants, as in `GET /api/connect`, with a placeholder for the key',
  input: {
    client: optionalText(),
    preset: optionalText(),
    toolsets: optionalText(),
    readonly: optionalText(),
  },
  output: ConnectSetup,
  handle: async (_, { app, incoming }) => connectAnswer(app, incoming),
})

const reach = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/reach',
  name: 'get_reach',
  about:
    '`url`, the address that links begin with, and `warnings` if assistants may not be able to reach it',
  output: ReachReport,
  handle: async (_, { app, incoming }) => reachabilityOf(app.baseUrl || incoming.url.origin),
})

export const connectionEndpoints: readonly ServerEndpoint[] = [connect, reach]
