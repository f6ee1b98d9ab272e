import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import type { EditorHandle } from '../../editor/MarkdownEditor.tsx'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import { useOutbox } from '../../store/index.ts'
import { t } from '../../texts/index.ts'
import { wiki } from '../../texts/en/wiki.ts'
import { confirm } from '../../ui/confirm.tsx'
import type { PageDraft } from './drafts.ts'
import { usePageEditing, type PageText } from './draft-editor.ts'
import type { CompletedPage } from './completion.ts'
import { EditorPane } from './EditorPane.tsx'
import { pageChanged } from './sharing/page.ts'
import styles from './wiki.module.css'

/** A text that is too long to be written live: it is saved as a whole. */
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
  const [first] = useState(draft)
  const editing = usePageEditing(page, first, editor)
  const hasConflict = editing.conflict !== undefined
  const leave = async () => {
    await pageChanged()
    close()
  }
  const save = async () => {
    const isSaved = await editing.save()
    await (isSaved ? leave() : pageChanged())
  }
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
      editing={editing}
      onSave={() => void save()}
      onEscape={() => (editing.state === 'clean' ? void leave() : done.current?.focus())}
      buttons={
        <>
          <Button ref={done} size="xs" disabled={hasConflict} onClick={() => void save()}>
            {t.app.save}
          </Button>
          <KeyCombo of="text.send" />
          <Button size="xs" variant="default" onClick={() => void discard()}>
            {editing.state === 'clean' ? t.app.close : wiki.discard}
          </Button>
        </>
      }
      state={(id) => <State of={editing.state} id={id} />}
    />
  )
}

function State({ of, id }: { of: keyof typeof wiki.state; id: string }) {
  const { isWaiting } = useOutbox()
  const shown = of === 'saving' && isWaiting ? 'waiting' : of
  return (
    <span id={id} className={styles.state} role="status" data-state={shown}>
      {wiki.state[shown]}
    </span>
  )
}
