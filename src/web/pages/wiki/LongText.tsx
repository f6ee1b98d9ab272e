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
  const saveButton = useRef<HTMLButtonElement>(null)
  const hasTypedSince = useRef(false)
  const [initialDraft] = useState(draft)
  const editing = usePageEditing(page, initialDraft, editor)
  const hasConflict = editing.conflict !== undefined
  const reloadAndClose = async () => {
    await reloadPage()
    close()
  }
  const save = async () => {
    hasTypedSince.current = false
    const isSaved = await editing.save()
    await (isSaved ? reloadAndClose() : reloadPage())
  }
  // text typed after the save started is saved as well, while typing continues
  const resumeSave = async () => {
    const isSaved = await editing.save(true)
    await (isSaved && !hasTypedSince.current ? reloadAndClose() : reloadPage())
  }
  const latest = useRef(resumeSave)
  useEffect(() => {
    latest.current = resumeSave
  })
  const isWaiting = editing.state === 'waiting'
  useEffect(() => {
    if (!isWaiting) return
    const onOnline = () => void latest.current()
    window.addEventListener('online', onOnline)
    return () => window.removeEventListener('online', onOnline)
  }, [isWaiting])
  const discard = async () => {
    if (editing.state !== 'clean' && !(await confirm({ ...wiki.discardDraft }))) return
    await editing.forget()
    await reloadAndClose()
  }
  return (
    <EditorPane
      page={page}
      text={initialDraft.text}
      editor={editor}
      editing={{
        ...editing,
        onEdit: () => {
          hasTypedSince.current = true
          editing.onEdit()
        },
      }}
      onSave={() => void save()}
      onEscape={() =>
        editing.state === 'clean' ? void reloadAndClose() : saveButton.current?.focus()
      }
      buttons={
        <>
          <Button ref={saveButton} size="xs" disabled={hasConflict} onClick={() => void save()}>
            {t.app.save}
          </Button>
          <KeyCombo command="text.send" />
          <Button size="xs" variant="default" onClick={() => void discard()}>
            {editing.state === 'clean' ? t.app.close : wiki.discard}
          </Button>
        </>
      }
      renderState={(id) => <State state={editing.state} id={id} />}
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
