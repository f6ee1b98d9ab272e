import { type AccessScope, type Viewer, accessScopeOf } from '../../../records/access-scope.ts'
import type { Row } from '../../../records/resource.ts'

/** The search container of a file's text: its project, or the owner of its drive. */
export function fileContainer(row: Pick<Row<'files'>, 'project_id' | 'owner_id'>): string {
  return row.project_id ?? row.owner_id
}

export async function searchFile(row: Row<'files'>, scope: AccessScope) {
  if (row.place === 'attached' || row.is_root === 1) return undefined
  return textOfFile(row, row.text_status === 'indexed' ? await storedText(scope, row) : undefined)
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

async function storedText(scope: AccessScope, row: Row<'files'>): Promise<string | undefined> {
  return (
    await scope.all
      .selectFrom('file_texts')
      .select('body')
      .where('file_id', '=', row.id)
      .where('version', '=', row.version)
      .executeTakeFirst()
  )?.body
}

/** The extracted text of a visible file's current version; undefined if there is none. */
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
