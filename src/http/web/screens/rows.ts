import { z } from 'zod'
import type { App } from '../../../operations/app.ts'
import { readAsUser } from '../../../operations/call/index.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { feedOf } from '../../../operations/event-feed.ts'
import { presentItems } from '../../../operations/listing/presenters.ts'
import { answerJson } from '../../transport/answers.ts'
import { readJson } from '../../transport/body.ts'
import { parseInput } from './input.ts'
import type { ScreenRequest } from './screen-page.ts'

const maxIds = 500

const input = {
  type: z.string().min(1).max(40),
  ids: z.array(z.string().min(1).max(80)).min(1).max(maxIds),
}

/** POST /web/rows: rows as the list of their type shows them, with who changed them last; `gone` are those out of sight. */
export const rowsRequest: ScreenRequest<typeof input> = {
  method: 'POST',
  path: '/web/rows',
  tool: 'read_rows',
  input,
  sent: readJson,
  parse: (sent) => parseInput(input, sent),
  async answer({ services: { app }, actor, incoming, request, input: { type, ids } }) {
    const args = { type, ids }
    const value = await readAsUser(app, actor, { ...request, args }, (ctx) =>
      rowsOf(ctx, app, type, [...new Set(ids)]),
    )
    const text = JSON.stringify(value)
    app.limits.answered(actor, text.length)
    return answerJson(incoming, 200, text)
  },
}

async function rowsOf(ctx: ReadContext, app: App, type: string, ids: readonly string[]) {
  const entries = await presentItems(ctx, type, ids)
  const last = await feedOf(app.catalogue).lastChanges(ctx, [...entries.keys()])
  return {
    rows: ids.flatMap((id) => {
      const entry = entries.get(id)
      return entry ? [{ ...entry, last_change: last.get(id) }] : []
    }),
    gone: ids.filter((id) => !entries.has(id)),
  }
}
