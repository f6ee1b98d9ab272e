import { z } from 'zod'
import { invalid } from '../../../kernel/refusal.ts'
import type { App } from '../../../operations/app.ts'
import { readAsUser } from '../../../operations/call/index.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { feedOf } from '../../../operations/event-feed.ts'
import type { RowLister } from '../../../operations/listed-rows.ts'
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
      rowsOf(ctx, app, listerOf(app, type), [...new Set(ids)]),
    )
    const text = JSON.stringify(value)
    app.limits.answered(actor, text.length)
    return answerJson(incoming, 200, text)
  },
}

/** @throws Refusal invalid_argument */
function listerOf({ catalogue }: App, type: string): RowLister {
  const listers = catalogue.modules.flatMap((module) => module.rowListers ?? [])
  const lister = listers.find((item) => item.type === type)
  if (lister) return lister
  const known = listers.map((item) => item.type).sort()
  throw invalid('type', 'there are no rows of this type.', `Known: ${known.join(', ')}.`)
}

async function rowsOf(
  ctx: ReadContext,
  { catalogue }: App,
  lister: RowLister,
  ids: readonly string[],
) {
  const byId = new Map((await lister.show(ctx, ids)).map((row) => [row.id, row]))
  const last = await feedOf(catalogue).lastChanges(ctx, [...byId.keys()])
  return {
    rows: ids.flatMap((id) => {
      const row = byId.get(id)
      return row ? [{ ...row, last_change: last.get(id) }] : []
    }),
    gone: ids.filter((id) => !byId.has(id)),
  }
}
