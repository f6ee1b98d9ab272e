import { call } from '../../../api/client.ts'
import { readOperationAgain } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { driveTexts as words } from '../../../texts/en/company/drive.ts'
import type { TextSource } from '../../../ui/conflicts/text-merge.ts'
import { filesChanged } from '../data.ts'
import { storedText, decodeText, type FileText, type Uneditable } from './file-text.ts'

/** The text of a file with its version. */
export interface ReadFile extends FileText {
  versionId: string
  /** The number of the version. */
  revision: number
}

/** Reads the current version of a file for editing, or returns why it cannot be edited. */
export async function readFileText(fileId: string): Promise<ReadFile | Uneditable> {
  const { items } = await call('list_file_versions', { file_id: fileId, limit: 25 })
  const current = items.find((version) => version.is_current)
  if (!current) return 'notText'
  const { base64 = '' } = await call('get_file_content', {
    file_id: fileId,
    version_id: current.id,
    format: 'base64',
  })
  const read = decodeText(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  return typeof read === 'string'
    ? read
    : { ...read, versionId: current.id, revision: current.number }
}

/** Text source of a file: saves a new version on top of the one read last. */
export function fileSource(file: { id: string; name: string }, first: ReadFile): TextSource {
  let latest = first
  return {
    read: async () => {
      const read = await readFileText(file.id)
      if (typeof read === 'string') throw new Error(words.edit.reasons[read])
      latest = read
      return read
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
export const contentChanged = () =>
  Promise.all([filesChanged(), readOperationAgain('get_file_content', 'list_file_versions')])
