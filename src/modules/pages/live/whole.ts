// Texts too long for live editing: an editor saves the differences at once instead of sending steps.

import { ChangeSet } from '@codemirror/state'
import { Refusal } from '../../../kernel/refusal.ts'
import { applyTextChanges, changesBetween } from '../../../kernel/text/text-changes.ts'
import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { page } from '../access.ts'
import { pageBodyOf, checkChangedText } from '../content/bodies.ts'
import { mergeWithLaterChanges } from '../content/later-changes.ts'
import { revisionOfEdit } from './access-steps.ts'
import { textAt } from './access-text.ts'
import { requireTextLength, writeLiveVersion, writeStep } from './steps.ts'
import type { TextChanges } from './text-changes.ts'

interface SaveInput {
  base_revision: number
  edit: string
  changes: TextChanges
}

interface SaveResult {
  revision: number
  /** Changes that turn the submitted text into the text of the page; absent if they are equal. */
  others?: TextChanges
}

/**
 * Saves an editor's changes to an earlier text as a version, merged with later changes. Idempotent.
 * @param checked lines in which no key was found
 * @throws PossibleKeyError, Refusal
 */
export async function saveText(
  ctx: WriteContext,
  pageId: string,
  { base_revision, edit, changes }: SaveInput,
  checked: ReadonlySet<string>,
): Promise<SaveResult> {
  const row = await page.demand(ctx, pageId, 'edit', 'page_id')
  const now = await pageBodyOf(ctx, row)
  if ((await revisionOfEdit(ctx, row, edit)) !== undefined) {
    const mine = applyChanges(await requirePageText(ctx, row, base_revision), changes)
    return saveResult(row.revision, mine, now)
  }
  let mine = now
  const after = await mergeWithLaterChanges(ctx, row, base_revision, (base) => {
    mine = applyChanges(base, changes)
    return mine
  })
  if (after === now) return saveResult(row.revision, mine, now)
  checkChangedText(after)
  const all = changesBetween(now, after)
  const written = await writeStep(ctx, row, { edit, changes: all, text: now, after, checked })
  return saveResult(await writeLiveVersion(ctx, written), mine, after)
}

function saveResult(revision: number, mine: string, now: string): SaveResult {
  if (mine === now) return { revision }
  return { revision, others: changesBetween(mine, now).toJSON() as TextChanges }
}

/** @throws Refusal invalid_argument if the changes are for a different text */
function applyChanges(base: string, json: TextChanges): string {
  const changes = ChangeSet.fromJSON(json)
  requireTextLength(changes, base.length)
  return applyTextChanges(base, changes)
}

/** @throws Refusal conflict if it is no longer known */
async function requirePageText(
  ctx: WriteContext,
  row: Row<'pages'>,
  revision: number,
): Promise<string> {
  const stored = await textAt(ctx, row, revision)
  if (stored) return stored.text
  throw new Refusal('conflict', `The text at revision ${revision} is not known.`, {
    field: 'base_revision',
    hint: 'Read the text again, and merge yours with it.',
    context: { current_revision: row.revision },
  })
}
