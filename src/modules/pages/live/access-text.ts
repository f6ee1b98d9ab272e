import { accessScopeOf, type AccessScope, type Viewer } from '../../../records/access-scope.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { bodyAt } from '../content/access-bodies.ts'
import { versionAt } from '../content/access-versions.ts'
import { liveVersionEnd, recordChange, stepsOf, type PageStep } from './access-steps.ts'
import { followPassages } from './access-passages.ts'
import { applyTextChanges, changesBetween } from '../../../kernel/text/text-changes.ts'

type TextState = Pick<Row<'pages'>, 'id' | 'version' | 'live_from' | 'revision'>

/** A visible page's current text: its version with later live changes. */
export async function currentText(viewer: Viewer, row: TextState): Promise<string | undefined> {
  const text = await bodyAt(viewer, row.id, row.version)
  if (text === undefined || row.live_from === null) return text
  return withSteps(text, await stepsOf(viewer, row, { after: row.live_from, upTo: row.revision }))
}

function withSteps(text: string, steps: readonly PageStep[]): string {
  return steps.reduce((now, step) => applyTextChanges(now, step.changes), text)
}

/** A visible page's text at a revision; undefined if no longer known. */
export async function textAt(
  viewer: Viewer,
  row: Row<'pages'>,
  revision: number,
): Promise<{ text: string; version: number } | undefined> {
  if (row.live_from !== null && revision >= row.live_from) {
    const text = await currentText(viewer, { ...row, revision })
    return text === undefined ? undefined : { text, version: row.version }
  }
  const version = await versionAt(viewer, row, revision)
  const text = version && (await bodyAt(viewer, row.id, version.number))
  if (!version || text === undefined) return undefined
  const steps = await stepsOf(viewer, row, { after: version.page_revision, upTo: revision })
  const isUnknown =
    revision > version.page_revision &&
    steps.length === 0 &&
    (await areStepsDeleted(viewer, row, version.number + 1))
  if (isUnknown) return undefined
  try {
    return { text: withSteps(text, steps), version: version.number }
  } catch (error) {
    if (error instanceof RangeError) return undefined // some steps are deleted
    throw error
  }
}

async function areStepsDeleted(
  reader: Viewer,
  row: Row<'pages'>,
  number: number,
): Promise<boolean> {
  const live = await liveVersionEnd(reader, row, number)
  return live !== undefined && !(await hasStepUpTo(reader, row, live.until))
}

async function hasStepUpTo(viewer: Viewer, { id }: Row<'pages'>, upTo: number): Promise<boolean> {
  const step = await accessScopeOf(viewer)
    .all.selectFrom('page_steps')
    .select('revision')
    .where('page_id', '=', id)
    .where('revision', '<=', upTo)
    .executeTakeFirst()
  return step !== undefined
}

/**
 * Called when a page's current version changes: open editors receive the difference.
 * @throws Refusal conflict if the page has live changes that are not in the new version
 */
export async function onVersionChange(
  after: Row<'pages'> | undefined,
  before: Row<'pages'> | undefined,
  scope: AccessScope,
): Promise<void> {
  if (!after || !before || before.version === 0 || after.version === before.version) return
  const [textBefore, textAfter] = [
    await currentText(scope, before),
    await bodyAt(scope, after.id, after.version),
  ]
  if (textBefore === undefined || textAfter === undefined || textBefore === textAfter) return
  if (before.live_from !== null)
    throw new Refusal('conflict', 'People are writing in the text of this page.', {
      hint: 'Try again in some minutes.',
      context: { current_revision: before.revision },
    })
  const changes = changesBetween(textBefore, textAfter)
  await followPassages(scope, after, textBefore, changes)
  await recordChange(scope, after, changes)
}
