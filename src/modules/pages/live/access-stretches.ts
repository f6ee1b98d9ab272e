import { newId } from '../../../kernel/ids.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import type { Row } from '../../../records/resource.ts'
import type { EncodedBody } from '../content/access-bodies.ts'
import { stepsOf } from './access-steps.ts'
import { charsChanged } from './text-changes.ts'

// A live stretch is the steps after a page's latest version; it becomes the next version.

/** A live author, with the number of characters added and removed. */
export interface LiveAuthor {
  personId: Row<'users'>['id']
  chars: number
}

/** Authors of the steps since the stored version of a page, in order of how much they wrote. */
export async function liveAuthors(viewer: Viewer, row: Row<'pages'>): Promise<LiveAuthor[]> {
  if (row.live_from === null) return []
  const chars = new Map<Row<'users'>['id'], number>()
  for (const step of await stepsOf(viewer, row, { after: row.live_from }))
    chars.set(step.personId, (chars.get(step.personId) ?? 0) + charsChanged(step.changes))
  return [...chars]
    .map(([personId, count]) => ({ personId, chars: count }))
    .sort((a, b) => b.chars - a.chars)
}

/** Records a version's authors. */
export async function addAuthors(
  reader: Viewer,
  version: Pick<Row<'page_versions'>, 'id' | 'org_id'>,
  authors: readonly LiveAuthor[],
): Promise<void> {
  if (authors.length === 0) return
  await accessScopeOf(reader)
    .all.insertInto('page_version_authors')
    .values(
      authors.map(({ personId, chars }) => ({
        version_id: version.id,
        org_id: version.org_id,
        person_id: personId,
        chars,
      })),
    )
    .execute()
}

/**
 * Creates a version from live changes before a call writes its own: in their authors' names, not as part of the call,
 * so that undoing the call does not revert it.
 */
export async function addLiveVersion(
  viewer: Viewer,
  row: Row<'pages'>,
  storedBody: EncodedBody,
  authors: readonly LiveAuthor[],
): Promise<Row<'pages'>> {
  const s = accessScopeOf(viewer)
  const number = row.version + 1
  const version = {
    id: newId<'page_versions'>('pvr', s.now),
    org_id: row.org_id,
    page_id: row.id,
    number,
    title: row.title,
    key_id: null,
    page_revision: row.revision,
    created_at: s.now,
    created_by: authors[0]?.personId ?? row.owner_id,
    created_via: 'web' as const,
    ...storedBody,
  }
  await s.all.insertInto('page_versions').values(version).execute()
  await addAuthors(viewer, version, authors)
  const patch = { version: number, ...noLiveChanges }
  await s.all.updateTable('pages').set(patch).where('id', '=', row.id).execute()
  return { ...row, ...patch }
}

/** Ends a stretch that left the text unchanged. */
export async function clearLiveChanges(
  reader: Viewer,
  { id }: Pick<Row<'pages'>, 'id'>,
): Promise<void> {
  await accessScopeOf(reader)
    .all.updateTable('pages')
    .set(noLiveChanges)
    .where('id', '=', id)
    .execute()
}

/** State of a page without live changes. */
export const noLiveChanges = { live_from: null, live_since: null, live_at: null }
