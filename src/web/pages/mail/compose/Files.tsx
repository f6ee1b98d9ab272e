import { IconPaperclip, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { mailTexts as t } from '../texts.ts'
import styles from './compose.module.css'
import type { MailValues } from './composition.ts'

const { compose } = t.mailbox

interface FilesProps {
  values: MailValues
  change: (patch: Partial<MailValues>) => void
  uploadingNames: readonly string[]
}

/** The files of a mail, and uploads in progress. */
export function Files({ values: { files }, change, uploadingNames }: FilesProps) {
  if (files.length + uploadingNames.length === 0) return null
  return (
    <ul className={styles.files} aria-label={t.items.mail.attachments}>
      {files.map(({ id, title }) => (
        <li key={id}>
          <IconPaperclip size={13} aria-hidden /> <span dir="auto">{title}</span>
          <button
            type="button"
            aria-label={compose.takeOut(title)}
            onClick={() => change({ files: files.filter((file) => file.id !== id) })}
          >
            <IconX size={12} aria-hidden />
          </button>
        </li>
      ))}
      {uploadingNames.map((name) => (
        <li key={name} aria-busy>
          <span dir="auto">{name}</span> {compose.uploading}
        </li>
      ))}
    </ul>
  )
}

/** Opens the file chooser. */
export function AttachButton({ attach }: { attach: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={compose.attach}
        onChange={(event) => {
          attach([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <button
        type="button"
        className={styles.tool}
        aria-label={compose.attach}
        title={compose.attach}
        onClick={() => input.current?.click()}
      >
        <IconPaperclip size={16} aria-hidden />
      </button>
    </>
  )
}
