import { Textarea } from '@mantine/core'
import { useRef, useState, type KeyboardEvent } from 'react'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import { t } from '../../texts/index.ts'
import { onDemand } from '../on-demand.tsx'
import styles from '../work/fields.module.css'
import { deleteDraft, useRebasedDraft } from '../work/kept-drafts.ts'
import { useLiveMerge } from './useTogether.ts'
import { saveMerged, type SavedText, type TextConflict, type TextSource } from './text-merge.ts'

const Conflicts = onDemand(() => import('./Conflicts.tsx').then(({ Conflicts: Part }) => Part))

interface TextEditorProps {
  saved: SavedText
  source: TextSource
  /** Storage key in this browser until it is saved or discarded. */
  draft: string
  label: string
  /** The item of the text, if changes by others should appear during editing. */
  itemId?: string | undefined
  close: () => void
}

/** Edits a text as Markdown. Merges changes by others; for conflicting lines, the reader chooses. */
export function TextEditor(props: TextEditorProps) {
  const { saved, source, draft, label, itemId, close } = props
  const { text, setText, base, setBase } = useRebasedDraft(draft, saved.text)
  const [conflict, setConflict] = useState<TextConflict>()
  const [isSending, setSending] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  useLiveMerge({ itemId, field, theirs: saved.text, base, setBase, text, setText })
  const finish = () => {
    deleteDraft(draft)
    close()
  }
  const save = async () => {
    if (text === base) return finish()
    setSending(true)
    const pendingOutcome = saveMerged({ saved, base, text }, source)
    if (!navigator.onLine) return finish() // the write waits in the outbox, which reports its outcome
    const outcome = await pendingOutcome
    setSending(false)
    if (outcome === 'done') finish()
    else if (outcome !== 'refused') setConflict(outcome)
  }
  const resolveConflict = (resolvedText: string) => {
    setBase(conflict?.theirs ?? base)
    setText(resolvedText)
    setConflict(undefined)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
    else if (event.key === 'Escape' && text === base) finish()
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.editor}>
      {conflict && <Conflicts parts={conflict.parts} apply={resolveConflict} />}
      <Textarea
        ref={field}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        readOnly={conflict !== undefined}
        autosize
        minRows={4}
        maxRows={24}
        autoFocus
        aria-label={label}
        dir="auto"
      />
      <div className={styles.editorBar}>
        <button
          type="button"
          className={styles.action}
          disabled={isSending || conflict !== undefined}
          onClick={() => void save()}
        >
          {t.app.save} <KeyCombo command="text.send" />
        </button>
        <button type="button" className={styles.action} data-plain onClick={finish}>
          {t.app.cancel}
        </button>
        <span className={styles.note}>{t.tasks.markdown}</span>
      </div>
    </div>
  )
}
