import { z } from 'zod'
import type { App } from '../../../operations/app.ts'
import { readAsUser } from '../../../operations/call/index.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { feedOf } from '../../../operations/event-feed.ts'
import { presentItems } from '../../../operations/listing/presenters.ts'
import { endpoint } from '../endpoint.ts'

const maxIds = 500

export const readRowsEndpoint = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/rows',
  name: 'read_rows',
  about:
    'these rows as the list of their type shows them, each with `last_change` (`at`, `actor`, `via`, `key`, `automation`, and the `call_id` of your own); `gone`: ids of rows that do not exist or that you cannot see',
  input: {
    type: z.string().min(1).max(40),
    ids: z.array(z.string().min(1).max(80)).min(1).max(maxIds).describe('up to 500'),
  },
  output: z.strictObject({
    rows: z.array(z.looseObject({ id: z.string() })),
    gone: z.array(z.string()),
  }),
  logsItself: 'always',
  handle: ({ type, ids }, { app, actor, callRequest }) =>
    readAsUser(app, actor, { ...callRequest, args: { type, ids } }, (ctx) =>
      screenRowsOf(ctx, app, type, [...new Set(ids)]),
    ),
})

async function screenRowsOf(ctx: ReadContext, app: App, type: string, ids: readonly string[]) {
  const entries = await presentItems(ctx, type, ids)
  const lastChanges = await feedOf(app.catalogue).lastChanges(ctx, [...entries.keys()])
  return {
    rows: ids.flatMap((id) => {
      const entry = entries.get(id)
      return entry ? [{ id, ...entry, last_change: lastChanges.get(id) }] : []
    }),
    gone: ids.filter((id) => !entries.has(id)),
  }
}
