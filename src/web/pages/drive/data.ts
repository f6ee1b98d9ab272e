import { call, type Output } from '../../api/client.ts'
import { invalidateOperations } from '../../api/queries.ts'
import { write } from '../../store/index.ts'
import { driveTexts as words } from '../../texts/en/company/drive.ts'
import { confirm } from '../../ui/confirm.tsx'

export type DriveFile = Output<'list_files'>['items'][number]

/** Reloads lists and pages of files. */
export const refetchFiles = () => invalidateOperations('list_files', 'get_file', 'list_drives')

/** Creates a folder inside another one; returns whether it worked. */
export async function createFolder(parentId: string, name: string): Promise<boolean> {
  const result = await write(
    'create_folder',
    { parent_id: parentId, name },
    { text: words.created(name) },
  )
  await refetchFiles()
  return result.state === 'done'
}

export async function renameFile({ id, name: oldName }: DriveFile, name: string): Promise<void> {
  await write(
    'update_file',
    { file_id: id, name },
    { text: words.changed(oldName, words.renamed(name)) },
  )
  await refetchFiles()
}

/** Copies a file within its folder. */
export async function copyFile({ id, name, parent_id: folder }: DriveFile): Promise<void> {
  await write(
    'copy_file',
    { file_id: id, ...(folder !== undefined && { folder_id: folder }) },
    { text: words.copied(name) },
  )
  await refetchFiles()
}

/** Moves a file or folder. Asks for confirmation if that changes who can see it. */
export async function moveFile(file: DriveFile, folder: { id: string; name: string }) {
  const input = { file_id: file.id, folder_id: folder.id }
  const { readers, warnings = [] } = await call('move_file', { ...input, dry_run: true })
  const namesOf = (people: readonly { title: string }[]) =>
    people.map(({ title }) => title).join(', ')
  const notes = [
    ...(readers && readers.gained.length > 0
      ? [words.readers.gained(namesOf(readers.gained))]
      : []),
    ...(readers && readers.lost.length > 0 ? [words.readers.lost(namesOf(readers.lost))] : []),
  ]
  const text = (notes.length > 0 ? notes : warnings).join(' ')
  const { title, action } = words.readers
  if (text !== '' && !(await confirm({ title, text, action, isDangerous: false }))) return
  await write('move_file', input, { text: words.changed(file.name, words.moved(folder.name)) })
  await refetchFiles()
}

/** Moves a file or folder to the trash; returns whether it worked. */
export async function trashFile({ id, name }: DriveFile): Promise<boolean> {
  const result = await write(
    'trash_file',
    { file_id: id },
    { text: words.changed(name, words.trashed) },
  )
  await refetchFiles()
  return result.state === 'done'
}

export async function restoreFile({ id, name }: DriveFile): Promise<void> {
  await write('restore_item', { item_id: id }, { text: words.restored(name), undo: false })
  await refetchFiles()
}

/** Restores an earlier version of a file as a new version. */
export async function restoreVersion(
  { id, name }: { id: string; name: string },
  versionId: string,
  number: number,
): Promise<void> {
  await write(
    'restore_file_version',
    { file_id: id, version_id: versionId },
    { text: words.changed(name, words.versionRestored(number)) },
  )
  await Promise.all([refetchFiles(), invalidateOperations('list_file_versions')])
}
