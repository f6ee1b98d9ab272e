import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { EditorHandle } from '../../editor/MarkdownEditor.tsx'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import { t } from '../../texts/index.ts'
import { wiki } from '../../texts/en/wiki.ts'
import { confirm } from '../../ui/confirm.tsx'
import type { PageDraft } from './drafts.ts'
import { usePageEditing, type PageText } from './draft-editor.ts'
import type { CompletedPage } from './completion.ts'
import { EditorPane } from './EditorPane.tsx'
import { reloadPage } from './sharing/page.ts'
import styles from './wiki.module.css'

/** A text that is too long for live editing: it is saved as a whole. */
export function LongText({
  page,
  draft,
  close,
}: {
  page: PageText & CompletedPage
  draft: PageDraft
  close: () => void
}) {
  const editor = useRef<EditorHandle>(null)
  const done = useRef<HTMLButtonElement>(null)
  const isTypedOn = useRef(false)
  const [first] = useState(draft)
  const editing = usePageEditing(page, first, editor)
  const hasConflict = editing.conflict !== undefined
  const leave = async () => {
    await reloadPage()
    close()
  }
  const save = async () => {
    isTypedOn.current = false
    const isSaved = await editing.save()
    await (isSaved ? leave() : reloadPage())
  }
  // text typed after the save started is saved as well, while typing continues
  const saveAgain = async () => {
    const isSaved = await editing.save(true)
    await (isSaved && !isTypedOn.current ? leave() : reloadPage())
  }
  const latest = useRef(saveAgain)
  useEffect(() => {
    latest.current = saveAgain
  })
  const isWaiting = editing.state === 'waiting'
  useEffect(() => {
    if (!isWaiting) return
    const again = () => void latest.current()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [isWaiting])
  const discard = async () => {
    if (editing.state !== 'clean' && !(await confirm({ ...wiki.discardDraft }))) return
    await editing.forget()
    await leave()
  }
  return (
    <EditorPane
      page={page}
      text={first.text}
      editor={editor}
      editing={{
        ...editing,
        edited: () => {
          isTypedOn.current = true
          editing.edited()
        },
      }}
      onSave={() => void save()}
      onEscape={() => (editing.state === 'clean' ? void leave() : done.current?.focus())}
      buttons={
        <>
          <Button ref={done} size="xs" disabled={hasConflict} onClick={() => void save()}>
            {t.app.save}
          </Button>
          <KeyCombo command="text.send" />
          <Button size="xs" variant="default" onClick={() => void discard()}>
            {editing.state === 'clean' ? t.app.close : wiki.discard}
          </Button>
        </>
      }
      state={(id) => <State state={editing.state} id={id} />}
    />
  )
}

interface StateProps {
  state: keyof typeof wiki.state
  id: string
}

function State({ state, id }: StateProps) {
  return (
    <span id={id} className={styles.state} role="status" data-state={state}>
      {wiki.state[state]}
    </span>
  )
}
