import { call } from '../../../api/client.ts'
import { invalidateOperations } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { driveTexts as words } from '../../../texts/en/company/drive.ts'
import type { TextSource } from '../../../ui/conflicts/text-merge.ts'
import { refetchFiles } from '../data.ts'
import { storedText, decodeText, type FileText, type Uneditable } from './file-text.ts'

/** The text of a file with its version. */
export interface LoadedFile extends FileText {
  versionId: string
  /** The number of the version. */
  revision: number
}

/** Reads the current version of a file for editing, or returns why it cannot be edited. */
export async function readFileText(fileId: string): Promise<LoadedFile | Uneditable> {
  const { items } = await call('list_file_versions', { file_id: fileId, limit: 25 })
  const current = items.find((version) => version.is_current)
  if (!current) return 'notText'
  const { base64 = '' } = await call('get_file_content', {
    file_id: fileId,
    version_id: current.id,
    format: 'base64',
  })
  const decoded = decodeText(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  return typeof decoded === 'string'
    ? decoded
    : { ...decoded, versionId: current.id, revision: current.number }
}

/** Text source of a file: saves a new version on top of the one read last. */
export function fileSource(file: { id: string; name: string }, initial: LoadedFile): TextSource {
  let latest = initial
  return {
    read: async () => {
      const current = await readFileText(file.id)
      if (typeof current === 'string') throw new Error(words.edit.reasons[current])
      latest = current
      return current
    },
    save: async (text, _, handles) => {
      const { state } = await write(
        'update_file_content',
        {
          file_id: file.id,
          expected_version_id: latest.versionId,
          content_text: storedText(text ?? '', latest),
        },
        { text: words.changed(file.name, words.edit.saved), handles },
      )
      return state === 'done'
    },
  }
}

/** Reloads the displayed parts of a file after its content has changed. */
export const refetchContent = () =>
  Promise.all([refetchFiles(), invalidateOperations('get_file_content', 'list_file_versions')])
