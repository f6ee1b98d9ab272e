import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { endpoint, type PersonRequest } from '../../../operations/endpoints/endpoint.ts'
import { maxLiveChars } from '../../../kernel/text/text-changes.ts'
import { pageBodyOf } from '../content/bodies.ts'
import { page, rolesOn } from '../access.ts'
import { Step, Suspicious, takeStep } from './steps.ts'
import { ChangesJson, TextChanges } from './text-changes.ts'
import { saveText } from './whole.ts'

/** Steps per person; typing sends two a second. */
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
      const text = await pageBodyOf(ctx, row)
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
    continues: z
      .boolean()
      .default(false)
      .describe(
        'it goes on where the editor inserted last: what others inserted at that place comes behind it, else before it',
      ),
    done: z.boolean().default(false),
  },
  output: z.strictObject({ revision: z.int(), steps: z.array(Step) }),
  async handle(sent, request) {
    request.spend('page steps', quota)
    const { revision, steps, isFirst } = await withoutKeys(
      request,
      { since: sent.since },
      (ctx, checked) => takeStep(ctx, request.params.id ?? '', sent, checked),
    )
    if (!isFirst) request.skipLog()
    return { revision, steps }
  },
})

/** Saves of long texts per person: each may read and write megabytes. */
const saveQuota = { perMinute: 60, burst: 30 }

export const savePageText = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/pages/:id/text',
  name: 'save_page_text',
  about:
    'saves a text that is too long to be written live, as the `changes` that make it from the text at `base_revision`, at most 1 MiB: a version is made at once. Merged with what others did since, or 409 with the lines that both changed; 409 also where the text at that revision is not known any more. Answers the `revision` by then, and in `others` what makes the text of the page from the one that was sent, if it differs. `edit` names the save: sent again within 7 days, it is not made again',
  input: {
    base_revision: z.int().min(1),
    edit: z.string().min(16).max(60).describe('a random name'),
    changes: TextChanges,
  },
  output: z.strictObject({ revision: z.int(), others: TextChanges.optional() }),
  async handle(sent, request) {
    request.spend('page texts', saveQuota)
    return withoutKeys(request, { base_revision: sent.base_revision }, (ctx, checked) =>
      saveText(ctx, request.params.id ?? '', sent, checked),
    )
  },
})

/** Changes a text; if touched lines may contain a working key, those are looked up first. */
async function withoutKeys<T>(
  request: PersonRequest,
  args: Readonly<Record<string, unknown>>,
  change: (ctx: WriteContext, checked: ReadonlySet<string>) => Promise<T>,
  checked: ReadonlySet<string> = new Set(),
): Promise<T> {
  try {
    return await request.change((ctx) => change(ctx, checked), args)
  } catch (error) {
    if (!(error instanceof Suspicious)) throw error
    await request.refuseKeys({ changes: error.lines })
    return withoutKeys(request, args, change, new Set([...checked, error.lines]))
  }
}
