import { IconPaperclip, IconSend2, IconX } from '@tabler/icons-react'
import { useRef, type DragEvent, type ReactNode, type RefObject } from 'react'
import { typedAt } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { useMessageDraft, type MessageDraft } from '../data/drafts.ts'
import styles from './compose.module.css'
import { TextBox } from './TextBox.tsx'
import { useUploads } from './useUploads.ts'

/** Maximum number of characters in a message. */
const maxLength = 40_000

interface ComposerProps {
  /** Storage key of the draft. */
  draftKey: string
  /** Accessible name: "Message #general". */
  label: string
  channelId: string | undefined
  send: (draft: MessageDraft) => void
  leave: () => void
  onArrowUp?: (() => void) | undefined
  autoFocus?: boolean
  list?: 'channel' | 'thread'
  /** Content beside the buttons. */
  children?: ReactNode
}

/** Input for a message. Drafts are stored until they are sent. */
export function Composer(props: ComposerProps) {
  const { draftKey, label, channelId, leave, autoFocus, list = 'channel', children } = props
  const box = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useMessageDraft(draftKey)
  const { uploadingNames, upload, uploadedFraction } = useUploads(draft, setDraft)
  const excess = draft.text.length - maxLength
  const isEmpty = draft.text.trim() === '' && draft.files.length === 0
  const canSend = excess <= 0 && uploadingNames.length === 0 && !isEmpty
  // typing in a thread is not reported to the whole channel
  const reportTyping = (isOver: boolean) => {
    if (channelId !== undefined && list === 'channel') typedAt(channelId, isOver)
  }
  const send = () => {
    if (!canSend) return
    reportTyping(true)
    setDraft({ text: '', files: [] })
    props.send({ ...draft, text: messageTextOf(draft) })
  }
  return (
    <div className={styles.composer} data-composer={list} {...dropHandlers(upload)}>
      <TextBox
        box={box}
        text={draft.text}
        setText={(text) => {
          setDraft({ ...draft, text })
          reportTyping(text === '')
        }}
        label={label}
        channelId={channelId}
        send={send}
        leave={leave}
        onArrowUp={props.onArrowUp}
        pasteFiles={upload}
        autoFocus={autoFocus}
      />
      <Files {...{ draft, setDraft, uploadingNames, uploadedFraction }} />
      <div className={styles.bar}>
        <AttachButton upload={upload} />
        {children}
        <span className={styles.hint}>
          {excess > 0 ? (
            <strong role="alert">{t.chat.compose.tooLong(excess)}</strong>
          ) : (
            t.chat.compose.hint
          )}
        </span>
        <button
          type="button"
          className={styles.send}
          disabled={!canSend}
          aria-label={t.chat.compose.send}
          title={t.chat.compose.send}
          onClick={() => {
            send()
            box.current?.focus()
          }}
        >
          <IconSend2 size={16} aria-hidden />
        </button>
      </div>
    </div>
  )
}

/** A message needs text: files alone are described by their names. */
function messageTextOf({ text, files }: MessageDraft): string {
  return text.trim() === '' ? files.map((file) => file.title).join(', ') : text.trim()
}

function dropHandlers(upload: (files: readonly File[]) => void) {
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      if (event.dataTransfer.files.length === 0) return
      event.preventDefault()
      upload([...event.dataTransfer.files])
    },
  }
}

function AttachButton({ upload }: { upload: (files: readonly File[]) => void }) {
  const input: RefObject<HTMLInputElement | null> = useRef(null)
  return (
    <>
      <button
        type="button"
        className={styles.tool}
        aria-label={t.chat.compose.attach}
        title={t.chat.compose.attach}
        onClick={() => input.current?.click()}
      >
        <IconPaperclip size={16} aria-hidden />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          upload([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

interface FilesProps {
  draft: MessageDraft
  setDraft: (draft: MessageDraft) => void
  uploadingNames: readonly string[]
  uploadedFraction: (name: string) => number
}

function Files({ draft, setDraft, uploadingNames, uploadedFraction }: FilesProps) {
  if (draft.files.length === 0 && uploadingNames.length === 0) return null
  const remove = (id: string) =>
    setDraft({ ...draft, files: draft.files.filter((file) => file.id !== id) })
  return (
    <ul className={styles.files}>
      {draft.files.map((file) => (
        <li key={file.id}>
          <IconPaperclip size={14} aria-hidden />
          <span dir="auto">{file.title}</span>
          <button
            type="button"
            className={styles.remove}
            aria-label={t.chat.compose.removeFile(file.title)}
            onClick={() => remove(file.id)}
          >
            <IconX size={13} aria-hidden />
          </button>
        </li>
      ))}
      {uploadingNames.map((name) => (
        <li key={name}>
          <span role="status">{t.chat.compose.uploading(name)}</span>
          <span>{t.chat.compose.percent(Math.floor(uploadedFraction(name) * 100))}</span>
        </li>
      ))}
    </ul>
  )
}
