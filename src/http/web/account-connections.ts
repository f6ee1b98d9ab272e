import { z } from 'zod'
import { connectAnswer } from '../routes/connect.ts'
import { reachOf } from '../transport/reach.ts'
import { action, type Action } from './action.ts'

const text = () => z.string().max(500).optional()

const connect = action({
  method: 'GET',
  path: '/web/connect',
  tool: 'get_connect_setup',
  takes: { client: text(), preset: text(), toolsets: text(), readonly: text() },
  work: async ({ app, incoming }) => ({ value: connectAnswer(app, incoming) }),
})

const reach = action({
  method: 'GET',
  path: '/web/reach',
  tool: 'get_reach',
  work: async ({ app, incoming }) => ({ value: reachOf(app.baseUrl || incoming.url.origin) }),
})

export const connectingActions: readonly Action[] = [connect, reach]
