import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { lineEndsOf } from '../../editor/line-ends.ts'
import { MarkdownEditor, type EditorHandle } from '../../editor/MarkdownEditor.tsx'
import { useCommands } from '../../keys/commands.ts'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import { useOutbox } from '../../store/index.ts'
import { t } from '../../texts/index.ts'
import { wiki } from '../../texts/en/wiki.ts'
import { confirm } from '../../ui/confirm.tsx'
import { Conflicts } from './Conflicts.tsx'
import type { PageDraft } from './drafts.ts'
import { usePageEditing, type PageText } from './draft-editor.ts'
import styles from './wiki.module.css'

/** A text that is too long to be written live: it is saved as a whole. */
export function LongText({
  page,
  draft,
  close,
}: {
  page: PageText
  draft: PageDraft
  close: () => void
}) {
  const client = useQueryClient()
  const stateId = useId()
  const editor = useRef<EditorHandle>(null)
  const done = useRef<HTMLButtonElement>(null)
  const [first] = useState(draft)
  const [isSource, setSource] = useState(false)
  const editing = usePageEditing(page, first, editor)
  const hasConflict = editing.conflict !== undefined
  useEffect(() => {
    if (!hasConflict) editor.current?.focus()
  }, [hasConflict])
  const leave = async () => {
    await client.invalidateQueries({ queryKey: ['call', 'get_page'] })
    close()
  }
  const save = async () => {
    const isSaved = await editing.save()
    await (isSaved ? leave() : client.invalidateQueries({ queryKey: ['call', 'get_page'] }))
  }
  const discard = async () => {
    if (editing.state !== 'clean' && !(await confirm({ ...wiki.discardDraft }))) return
    await editing.forget()
    await leave()
  }
  useCommands({ 'page.source': () => setSource(!isSource) })
  return (
    <div className={styles.writing}>
      {editing.conflict && <Conflicts parts={editing.conflict} apply={editing.decide} />}
      <div hidden={hasConflict}>
        <MarkdownEditor
          ref={editor}
          text={first.text}
          label={wiki.text(page.title)}
          describedBy={stateId}
          placeholder={wiki.placeholder}
          isSource={isSource}
          onEdit={editing.edited}
          onSave={() => void save()}
          onEscape={() => (editing.state === 'clean' ? void leave() : done.current?.focus())}
        />
      </div>
      <div className={styles.bar}>
        <Button ref={done} size="xs" disabled={hasConflict} onClick={() => void save()}>
          {t.app.save}
        </Button>
        <KeyCombo of="text.send" />
        <Button size="xs" variant="default" onClick={() => void discard()}>
          {editing.state === 'clean' ? t.app.close : wiki.discard}
        </Button>
        <Button
          size="xs"
          variant="subtle"
          aria-pressed={isSource}
          onClick={() => setSource(!isSource)}
          rightSection={<KeyCombo of="page.source" />}
        >
          {wiki.source}
        </Button>
        <State of={editing.state} id={stateId} />
        <span className={styles.state}>{wiki.ends[lineEndsOf(first.text)]}</span>
      </div>
    </div>
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
