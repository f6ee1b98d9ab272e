import { z } from 'zod'
import { endpoint, type PersonRequest } from '../../../operations/endpoints/endpoint.ts'
import { maxLiveChars } from '../../../kernel/text/text-changes.ts'
import { bodyOf } from '../content/bodies.ts'
import { page, rolesOn } from '../access.ts'
import { Step, Suspicious, takeStep } from './steps.ts'
import { ChangesJson } from './text-changes.ts'

/** Steps that one person may send; someone who types sends two a second. */
const quota = { perMinute: 600, burst: 200 }

export const readLivePage = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/pages/:id/live',
  name: 'read_live_page',
  about:
    'the text of a page with the `revision` that it has by it, for an editor that goes on by steps; `may_edit`; `is_live` is false where the text is too long for that',
  output: z.strictObject({
    revision: z.int(),
    body_markdown: z.string(),
    may_edit: z.boolean(),
    is_live: z.boolean(),
  }),
  handle: (_, request) =>
    request.read(async (ctx) => {
      const row = await page.demand(ctx, request.params.id ?? '', 'see', 'page_id')
      const text = await bodyOf(ctx, row)
      const role = (await rolesOn(ctx, [row])).get(row.id)
      return {
        revision: row.revision,
        body_markdown: text,
        may_edit: role === 'owner' || role === 'editor',
        is_live: text.length <= maxLiveChars,
      }
    }),
})

export const addPageStep = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/pages/:id/steps',
  name: 'edit_page_live',
  about:
    'makes one change of the text of a page, made from revision `since`, after mapping it over what others did since. Answers the `revision` by then and those `steps`, to be made before the own one. `edit` names the step: sent again, it is not made again. `done`: a version is made at once, else after a pause of 20 seconds or 2 minutes. 409 where the steps since then are not kept (7 days): read the text and merge. One entry in the call log for each person and version',
  input: {
    since: z.int().min(1),
    edit: z.string().min(16).max(60).describe('a random name'),
    changes: ChangesJson,
    done: z.boolean().default(false),
  },
  output: z.strictObject({ revision: z.int(), steps: z.array(Step) }),
  async handle(sent, request) {
    request.spend('page steps', quota)
    const { revision, steps, isFirst } = await taken(request, sent, new Set())
    if (!isFirst) request.skipLog()
    return { revision, steps }
  },
})

async function taken(
  request: PersonRequest,
  sent: Parameters<typeof takeStep>[2],
  checked: ReadonlySet<string>,
): ReturnType<typeof takeStep> {
  try {
    return await request.change((ctx) => takeStep(ctx, request.params.id ?? '', sent, checked), {
      since: sent.since,
    })
  } catch (error) {
    if (!(error instanceof Suspicious)) throw error
    await request.refuseKeys({ changes: error.lines })
    return taken(request, sent, new Set([...checked, error.lines]))
  }
}
