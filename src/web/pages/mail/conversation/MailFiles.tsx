import { IconFolderDown, IconPaperclip } from '@tabler/icons-react'
import { useState } from 'react'
import { write } from '../../../store/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { refetchFiles } from '../../drive/data.ts'
import { FolderDialog } from '../../drive/FolderDialog.tsx'
import styles from '../mail.module.css'
import { mailTexts as t } from '../texts.ts'
import type { ThreadMail } from '../useThread.ts'
import { savedFiles, useSavedFiles } from './saved-files.ts'

export type MailAttachment = ThreadMail['attachments'][number]
const words = t.handling.files

/** The attachments of a message, and their location in the drive once saved. */
export function MailFiles({ attachments }: { attachments: readonly MailAttachment[] }) {
  const [attachmentToSave, setAttachmentToSave] = useState<MailAttachment>()
  const savedByAttachment = useSavedFiles()
  return (
    <>
      <ul className={styles.attachments} aria-label={t.items.mail.attachments}>
        {attachments.map((attachment) => {
          const file = savedByAttachment.get(attachment.id)
          return (
            <li key={attachment.id}>
              <IconPaperclip size={13} aria-hidden /> <span dir="auto">{attachment.name}</span>{' '}
              <span className={styles.size}>{t.items.bytes(attachment.size_bytes)}</span>
              <button
                type="button"
                className={styles.save}
                aria-label={words.saveOne(attachment.name)}
                title={words.saveOne(attachment.name)}
                onClick={() => setAttachmentToSave(attachment)}
              >
                <IconFolderDown size={15} aria-hidden />
              </button>
              {file && (
                <span className={styles.saved}>
                  {words.savedAs} <ItemLink item={file} withIcon={false} />
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {attachmentToSave && (
        <SaveFiles attachments={[attachmentToSave]} close={() => setAttachmentToSave(undefined)} />
      )}
    </>
  )
}

interface SaveFilesProps {
  attachments: readonly MailAttachment[]
  close: () => void
}

/** Copies attachments to a folder of the drive. */
export function SaveFiles({ attachments, close }: SaveFilesProps) {
  const save = async (folder: { id: string; name: string }) => {
    await Promise.all(attachments.map((attachment) => saveFile(attachment, folder)))
    await refetchFiles()
  }
  return (
    <FolderDialog
      title={words.saveTo}
      action={words.save}
      choose={(folder) => void save(folder)}
      close={close}
    />
  )
}

async function saveFile(
  { id, name }: MailAttachment,
  folder: { id: string; name: string },
): Promise<void> {
  const text = words.saved(name, folder.name)
  const result = await write(
    'save_email_attachment',
    { attachment_id: id, folder_id: folder.id },
    { text },
  )
  if (result.state !== 'done' || !result.value) return
  savedFiles.add(id, { id: result.value.id, title: result.value.name })
}
