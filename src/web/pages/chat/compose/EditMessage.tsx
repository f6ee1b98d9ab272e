import { useRef, useState } from 'react'
import { t } from '../../../texts/index.ts'
import { editMessage } from '../data/changes.ts'
import type { Message } from '../data/rows.ts'
import { messageNode } from '../list/scroll.ts'
import { editedText, storeEditedText, setOpenPopup } from '../list/open.ts'
import styles from './compose.module.css'
import { TextBox } from './TextBox.tsx'

/** An in-place editor for the reader's own message. */
export function EditMessage({ message }: { message: Message }) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(editedText() ?? message.content.text)
  const updateText = (newText: string) => {
    storeEditedText(newText)
    setText(newText)
  }
  const leave = () => {
    setOpenPopup(undefined)
    requestAnimationFrame(() => messageNode(document, message.id)?.focus())
  }
  const save = () => {
    if (text.trim() === '') return
    if (text !== message.content.text) editMessage(message, text)
    leave()
  }
  return (
    <div className={styles.editing}>
      <TextBox
        box={box}
        text={text}
        setText={updateText}
        label={t.chat.compose.editing}
        channelId={message.channel.id}
        send={save}
        leave={leave}
        autoFocus
      />
      <div className={styles.bar}>
        <span className={styles.hint}>{t.chat.compose.editHint}</span>
        <button type="button" className={styles.small} onClick={leave}>
          {t.app.cancel}
        </button>
        <button type="button" className={styles.smallPrimary} onClick={save}>
          {t.chat.compose.save}
        </button>
      </div>
    </div>
  )
}
