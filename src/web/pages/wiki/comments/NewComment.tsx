import { Button } from '@mantine/core'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { write } from '../../../store/index.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { t } from '../../../texts/index.ts'
import { restoreFocus } from '../../../ui/work/focus.ts'
import { deleteDraft, useDraft } from '../../../ui/work/kept-drafts.ts'
import { commentDraftKey } from '../drafts.ts'
import styles from './comments.module.css'
import { invalidateComments } from './data.ts'

const texts = wiki.comments

/** A passage of the text, and its position. */
export interface Quote {
  text: string
  start: number
}

interface NewCommentProps {
  page: { id: string; title: string }
  /** Quoted passage; undefined for the whole page. */
  quote?: Quote | undefined
  /** The comment it replies to. */
  replyTo?: string | undefined
  close: () => void
}

/** Input for a comment; takes the focus, and returns it. */
export function NewComment(props: NewCommentProps) {
  const { replyTo, close } = props
  const { text, setText, passage, setPassage, canSend, send } = useCommentDraft(props)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the fields in it
    <div className={styles.form} onKeyDown={onKeyDown}>
      {replyTo === undefined && <PassageBox passage={passage} setPassage={setPassage} />}
      <TextBox
        text={text}
        setText={setText}
        label={replyTo === undefined ? texts.text : texts.reply}
      />
      <div className={styles.buttons}>
        <Button size="compact-xs" disabled={!canSend} onClick={() => void send()}>
          {texts.send}
        </Button>
        <KeyCombo command="text.send" />
        <Button size="compact-xs" variant="subtle" onClick={close}>
          {t.app.cancel}
        </Button>
      </div>
    </div>
  )
}

/** Comment being written, stored in this browser until it is sent. */
function useCommentDraft({ page, quote, replyTo, close }: NewCommentProps) {
  const key = commentDraftKey(page.id, replyTo)
  const [text, setText] = useDraft(key, '')
  const [passage, setPassage] = useState(quote?.text ?? '')
  const [isSending, setSending] = useState(false)
  const canSend = text.trim() !== '' && !isSending
  const send = async () => {
    if (!canSend) return
    setSending(true)
    const offsetInput = passage === quote?.text && { quote_offset: quote.start }
    const { state } = await write(
      'add_page_comment',
      {
        page_id: page.id,
        body_markdown: text.trim(),
        ...(replyTo !== undefined && { reply_to_comment_id: replyTo }),
        ...(passage !== '' && { quote: passage, ...offsetInput }),
      },
      { text: texts.made(page.title) },
    )
    setSending(false)
    if (state !== 'done') return
    deleteDraft(key)
    setText('')
    await invalidateComments()
    close()
  }
  return { text, setText, passage, setPassage, canSend, send }
}

/** The source text of a comment's passage, which can be typed as well as selected. */
function PassageBox({
  passage,
  setPassage,
}: {
  passage: string
  setPassage: (passage: string) => void
}) {
  return (
    <label className={styles.passage}>
      {texts.passage}
      <textarea
        rows={passage.length > 60 ? 3 : 1}
        value={passage}
        onChange={(event) => setPassage(event.currentTarget.value)}
        placeholder={texts.wholePage}
        maxLength={10_000}
        dir="auto"
      />
    </label>
  )
}

interface TextBoxProps {
  text: string
  setText: (text: string) => void
  label: string
}

function TextBox({ text, setText, label }: TextBoxProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const previousFocus = document.activeElement
    box.current?.focus()
    return () => restoreFocus(previousFocus)
  }, [])
  return (
    <textarea
      ref={box}
      rows={3}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      aria-label={label}
      placeholder={label}
      maxLength={50_000}
      dir="auto"
    />
  )
}
