import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { endpoint, type PersonRequest } from '../../../operations/endpoints/endpoint.ts'
import { maxLiveChars } from '../../../kernel/text/text-changes.ts'
import { pageBodyOf } from '../content/bodies.ts'
import { page, rolesOn } from '../access.ts'
import { Step, PossibleKeyError, takeStep } from './steps.ts'
import { ChangesJson, TextChanges } from './text-changes.ts'
import { saveText } from './whole.ts'

/** Rate limit of steps per person; typing sends two a second. */
const stepRateLimit = { perMinute: 600, burst: 200 }

export const readLivePage = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/pages/:id/live',
  name: 'read_live_page',
  about:
    'the text of a page with its `revision`, for an editor that continues with steps; `may_edit`; `is_live` is false if the text is too long for live editing',
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
    'applies one change to the text of a page, based on revision `since`, after mapping it over the changes others made since. Returns the new `revision` and those `steps`, to be applied before the sent one. `edit` identifies the step: sent again, it is not applied again. `done`: a version is created at once, otherwise after a pause of 20 seconds, or after 2 minutes. 409 if the steps since then are no longer stored (7 days): read the text and merge. One entry in the call log for each person and version',
  input: {
    since: z.int().min(1),
    edit: z.string().min(16).max(60).describe('a random name'),
    changes: ChangesJson,
    continues: z
      .boolean()
      .default(false)
      .describe(
        "it continues the editor's last insertion: text that others inserted at that position comes after it, otherwise before it",
      ),
    done: z.boolean().default(false),
  },
  output: z.strictObject({ revision: z.int(), steps: z.array(Step) }),
  async handle(sent, request) {
    request.spend('page steps', stepRateLimit)
    const { revision, steps, isFirst } = await changeWithKeyCheck(
      request,
      { since: sent.since },
      (ctx, checked) => takeStep(ctx, request.params.id ?? '', sent, checked),
    )
    if (!isFirst) request.skipLog()
    return { revision, steps }
  },
})

/** Rate limit of saves of long texts per person: each may read and write megabytes. */
const saveRateLimit = { perMinute: 60, burst: 30 }

export const savePageText = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/pages/:id/text',
  name: 'save_page_text',
  about:
    'saves a text that is too long for live editing, as the `changes` from the text at `base_revision`, at most 1 MiB: a version is created at once. Merged with the changes others made since, or 409 with the lines that both changed; 409 also if the text at that revision is no longer known. Returns the new `revision`, and in `others` the changes from the sent text to the text of the page, if they differ. `edit` identifies the save: sent again within 7 days, it is not applied again',
  input: {
    base_revision: z.int().min(1),
    edit: z.string().min(16).max(60).describe('a random name'),
    changes: TextChanges,
  },
  output: z.strictObject({ revision: z.int(), others: TextChanges.optional() }),
  async handle(sent, request) {
    request.spend('page texts', saveRateLimit)
    return changeWithKeyCheck(request, { base_revision: sent.base_revision }, (ctx, checked) =>
      saveText(ctx, request.params.id ?? '', sent, checked),
    )
  },
})

/** Changes a text; lines that may contain a working API key are checked first, outside the transaction. */
async function changeWithKeyCheck<T>(
  request: PersonRequest,
  args: Readonly<Record<string, unknown>>,
  change: (ctx: WriteContext, checked: ReadonlySet<string>) => Promise<T>,
  checked: ReadonlySet<string> = new Set(),
): Promise<T> {
  try {
    return await request.change((ctx) => change(ctx, checked), args)
  } catch (error) {
    if (!(error instanceof PossibleKeyError)) throw error
    await request.refuseKeys({ changes: error.lines })
    return changeWithKeyCheck(request, args, change, new Set([...checked, error.lines]))
  }
}
