import { type AccessScope, type Viewer, accessScopeOf } from '../../../records/access-scope.ts'
import type { Row } from '../../../records/resource.ts'

/** The acl token of a file's text: the project's, or the owner's of the drive that it is in. */
export function fileContainer(row: Pick<Row<'files'>, 'project_id' | 'owner_id'>): string {
  return row.project_id ?? row.owner_id
}

export async function searchFile(row: Row<'files'>, scope: AccessScope) {
  if (row.place === 'attached' || row.is_root === 1) return undefined
  return textOfFile(row, row.text_status === 'indexed' ? await keptText(scope, row) : undefined)
}

/** Searchable text of a file. */
export function textOfFile(row: Row<'files'>, text: string | undefined) {
  return {
    title: row.name,
    body: [row.description ?? '', text ?? ''].filter((name) => name !== '').join('\n\n'),
    container: fileContainer(row),
    part: 'item' as const,
    item_id: row.id,
    item_type: 'file',
    at: row.modified_at,
  }
}

async function keptText(scope: AccessScope, row: Row<'files'>): Promise<string | undefined> {
  return (
    await scope.all
      .selectFrom('file_texts')
      .select('body')
      .where('file_id', '=', row.id)
      .where('version', '=', row.version)
      .executeTakeFirst()
  )?.body
}

/** The text of a file that was seen, of its present version; undefined where none was read. */
export async function fileText(
  viewer: Viewer,
  row: Row<'files'>,
): Promise<Pick<Row<'file_texts'>, 'body' | 'format' | 'problem'> | undefined> {
  return accessScopeOf(viewer)
    .all.selectFrom('file_texts')
    .select(['body', 'format', 'problem'])
    .where('file_id', '=', row.id)
    .where('version', '=', row.version)
    .executeTakeFirst()
}
