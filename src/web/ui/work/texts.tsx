import { Textarea } from '@mantine/core'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import { t } from '../../texts/index.ts'
import { Markdown } from '../Markdown.tsx'
import styles from './fields.module.css'

interface TitleInputProps {
  title: string
  label: string
  save: (title: string) => void
}

/** The title of a page, edited where it stands: Enter or leaving it saves, Escape takes back what was typed. */
export function TitleInput({ title, label, save }: TitleInputProps) {
  const [text, setText] = useState(title)
  const isGivenUp = useRef(false)
  useEffect(() => setText(title), [title])
  const leave = () => {
    const next = text.trim().replaceAll(/\s+/g, ' ')
    const isKept = !isGivenUp.current && next !== '' && next !== title
    isGivenUp.current = false
    if (isKept) save(next)
    else setText(title)
  }
  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') isGivenUp.current = true
    else if (event.key !== 'Enter') return
    event.preventDefault()
    event.currentTarget.blur()
  }
  return (
    <>
      <h1 className={styles.hidden}>{title}</h1>
      <Textarea
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={leave}
        onKeyDown={pressed}
        autosize
        minRows={1}
        variant="unstyled"
        classNames={{ input: styles.title }}
        aria-label={label}
        maxLength={500}
        dir="auto"
      />
    </>
  )
}

interface MarkdownInputProps {
  text: string | undefined
  label: string
  /** What the button says that begins a text where there is none. */
  add: string
  save: (text: string | null) => void
}

/** A text: read as it looks, edited as Markdown. */
export function MarkdownInput({ text, label, add, save }: MarkdownInputProps) {
  const [draft, setDraft] = useState<string>()
  if (draft === undefined)
    return (
      <div className={styles.text}>
        {text ? (
          <>
            <Markdown text={text} under={1} />
            <button
              type="button"
              className={styles.action}
              data-plain
              onClick={() => setDraft(text)}
            >
              {t.planning.edit}
            </button>
          </>
        ) : (
          <button type="button" className={styles.addText} onClick={() => setDraft('')}>
            {add}
          </button>
        )}
      </div>
    )
  const finish = () => {
    if (draft !== (text ?? '')) save(draft.trim() === '' ? null : draft)
    setDraft(undefined)
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) finish()
    else if (event.key === 'Escape' && draft === (text ?? '')) setDraft(undefined)
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.editor}>
      <Textarea
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={pressed}
        autosize
        minRows={4}
        maxRows={24}
        aria-label={label}
        autoFocus
        dir="auto"
      />
      <div className={styles.editorBar}>
        <button type="button" className={styles.action} onClick={finish}>
          {t.app.save} <KeyCombo of="text.send" />
        </button>
        <button type="button" className={styles.action} onClick={() => setDraft(undefined)}>
          {t.app.cancel}
        </button>
      </div>
    </div>
  )
}
