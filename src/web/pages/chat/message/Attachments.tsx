import { IconPaperclip } from '@tabler/icons-react'
import { t } from '../../../texts/index.ts'
import { AppLink, appPath } from '../../../ui/AppLink.tsx'
import { FileImage } from '../../../ui/FileImage.tsx'
import type { Message } from '../data/rows.ts'
import styles from './message.module.css'

type MessageFile = Message['files'][number]

const isPicture = ({ title }: MessageFile) => /\.(png|jpe?g|gif|webp|avif)$/i.test(title)

/** The files of a message: pictures inline, others by name. */
export function Attachments({ files }: { files: readonly MessageFile[] }) {
  if (files.length === 0) return null
  return (
    <ul className={styles.files}>
      {files.map((file) => (
        <li key={file.id}>
          <FileLink file={file} />
          {isPicture(file) && (
            <span className={styles.picture}>
              <FileImage id={file.id} alt={t.chat.picture(file.title)} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function FileLink({ file }: { file: MessageFile }) {
  return (
    <AppLink to={(file.url && appPath(file.url)) ?? `/files/${file.id}`} className={styles.file}>
      <IconPaperclip size={14} aria-hidden />
      <span dir="auto">{file.title}</span>
    </AppLink>
  )
}
