import { literals, type Planter } from './planter.ts'

/** A folder with a file in it, of two versions, described, starred, labelled and shared by a link; an upload that was announced; a file in the trash. */
export const drive: Planter = {
  async plant(make, say) {
    const [own] = (await make('list_drives')).items as { id: string; root_folder_id: string }[]
    const folder = await make('create_folder', { name: say('folder') })
    const file = await make('upload_file', {
      name: `${say('document')}.txt`,
      content_text: say('text of a file'),
      folder_id: folder.id,
    })
    await make('update_file_content', {
      file_id: file.id,
      content_text: say('later text of a file'),
      comment: say('comment of a version'),
    })
    await make('update_file', {
      file_id: file.id,
      description: say('description of a file'),
      starred: true,
    })
    const versions = (await make('list_file_versions', { file_id: file.id })).items.map(
      (item: { id: string }) => item.id,
    )
    const share = await make('create_share_link', { file_id: folder.id })
    await make('create_upload_session', { name: `${say('upload')}.bin`, size_bytes: 5 })
    const gone = await make('upload_file', {
      name: `${say('trashed file')}.txt`,
      content_text: say('text in the trash'),
    })
    await make('trash_file', { file_id: gone.id })
    return {
      drive: [own!.id],
      file: [file.id, folder.id],
      drive_file: [file.id],
      file_version: versions,
      share: [share.id],
      trashed: [gone.id],
    }
  },
  rows: (planted) => ({
    files: `id IN (${literals([...(planted.file ?? []), ...(planted.trashed ?? [])])})`,
    ...Object.fromEntries(
      ['file_versions', 'file_texts', 'file_shares', 'file_stars', 'file_labels'].map((table) => [
        table,
        `file_id IN (${literals(planted.file)})`,
      ]),
    ),
  }),
}
