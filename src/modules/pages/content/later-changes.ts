import { z } from 'zod'
import { Refusal, invalid } from '../../../kernel/refusal.ts'
import {
  conflictsIn,
  mergedText,
  mergeParts,
  type MergeConflict,
} from '../../../kernel/text/merge.ts'
import { truncate } from '../../../kernel/text/truncate.ts'
import type { Viewer } from '../../../records/access-scope.ts'
import type { Row } from '../../../records/resource.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { liveAuthors } from '../live/access-stretches.ts'
import { textAt } from '../live/access-text.ts'
import { authorsAfter } from './access-versions.ts'
import { pageBodyOf } from './bodies.ts'

/** Revision on which an edit is based. */
export const baseRevision = () =>
  z
    .int()
    .min(1)
    .optional()
    .describe(
      'the revision you read: the edit is merged with later ones, and refused only where they changed the same lines',
    )

const maxConflicts = 20
const maxConflictChars = 2000

/**
 * An edit based on an earlier revision, merged with later changes.
 * @param edit returns the edited text, given the text at that revision
 * @throws Refusal conflict, with the lines that later edits changed too
 */
export async function mergeWithLaterChanges(
  viewer: Viewer,
  row: Row<'pages'>,
  revision: number | undefined,
  edit: (base: string) => string,
): Promise<string> {
  const now = await pageBodyOf(viewer, row)
  if (revision === undefined || revision === row.revision) return edit(now)
  if (revision > row.revision)
    throw invalid(
      'base_revision',
      `the page has revision ${row.revision} by now.`,
      'Send the revision that get_page returned.',
    )
  const base = await textAt(viewer, row, revision)
  if (!base)
    throw new Refusal('conflict', `The text at revision ${revision} is not known.`, {
      field: 'base_revision',
      hint: 'Read the page again, then repeat the edit.',
      context: { current_revision: row.revision },
    })
  if (base.text === now) return edit(now)
  const parts = mergeParts(base.text, edit(base.text), now)
  const conflicts = conflictsIn(parts)
  if (conflicts.length > 0) throw await conflictRefusal(viewer, row, base.version, conflicts)
  return mergedText(parts, () => [])
}

async function conflictRefusal(
  reader: Viewer,
  row: Row<'pages'>,
  version: number,
  conflicts: readonly MergeConflict[],
): Promise<Refusal> {
  const otherPlaces = conflicts.length === 1 ? '' : ` and ${conflicts.length - 1} more places`
  return new Refusal(
    'conflict',
    `Line ${conflicts[0]?.line}${otherPlaces} changed meanwhile (revision ${row.revision}).`,
    {
      field: 'base_revision',
      hint: 'Read the page again, then repeat the edit on the lines as they are now.',
      context: {
        current_revision: row.revision,
        changed_by: await authorsSince(reader, row, version),
        conflicts: conflicts.slice(0, maxConflicts).map(({ line, base, mine, theirs }) => ({
          line,
          before: excerpt(base),
          now: excerpt(theirs),
          yours: excerpt(mine),
        })),
      },
    },
  )
}

const excerpt = (lines: readonly string[]) => truncate(lines.join('\n'), maxConflictChars)

/** Names of the authors after a version, including live changes. */
async function authorsSince(viewer: Viewer, row: Row<'pages'>, number: number): Promise<string[]> {
  const live = await liveAuthors(viewer, row)
  const written = await authorsAfter(viewer, row, number, maxConflicts)
  const ids = [...new Set([...live.map((author) => author.personId), ...written])]
  const people = await peopleRefs(viewer, ids)
  return ids.map((id) => people.get(id)?.title ?? id)
}
