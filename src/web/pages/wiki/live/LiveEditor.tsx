import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { lineEndsOf } from '../../../editor/line-ends.ts'
import { MarkdownEditor, type EditorHandle } from '../../../editor/MarkdownEditor.tsx'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { wiki } from '../../../texts/en/wiki.ts'
import { Conflicts } from '../Conflicts.tsx'
import type { PageDraft } from '../drafts.ts'
import styles from '../wiki.module.css'
import { useLiveEditing, type LiveEditing } from './live-writer.ts'

interface Props {
  page: { id: string; title: string }
  draft: PageDraft
  close: () => void
}

/** The text of a page while people write in it: what is typed is saved by itself. */
export function LiveEditor({ page, draft, close }: Props) {
  const client = useQueryClient()
  const stateId = useId()
  const editor = useRef<EditorHandle>(null)
  const [first] = useState(draft)
  const [isSource, setSource] = useState(false)
  const editing = useLiveEditing({ pageId: page.id, draft: first, editor })
  const hasConflict = editing.conflict !== undefined
  useEffect(() => {
    if (!hasConflict) editor.current?.focus()
  }, [hasConflict])
  const leave = async () => {
    await editing.finish()
    await client.invalidateQueries({ queryKey: ['call', 'get_page'] })
    await client.invalidateQueries({ queryKey: ['call', 'list_page_versions'] })
    close()
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
          onSave={() => void leave()}
          onEscape={() => void leave()}
        />
      </div>
      <div className={styles.bar}>
        <Button size="xs" disabled={hasConflict} onClick={() => void leave()}>
          {wiki.done}
        </Button>
        <KeyCombo of="text.send" />
        <Button
          size="xs"
          variant="subtle"
          aria-pressed={isSource}
          onClick={() => setSource(!isSource)}
          rightSection={<KeyCombo of="page.source" />}
        >
          {wiki.source}
        </Button>
        <State of={editing} id={stateId} />
        <span className={styles.state}>{wiki.ends[lineEndsOf(first.text)]}</span>
      </div>
    </div>
  )
}

/** How the text stands; what happens with each key is not read out. */
function State({ of: { state, message }, id }: { of: LiveEditing; id: string }) {
  const isCalm = state === 'saved' || state === 'saving'
  return (
    <span
      id={id}
      className={styles.state}
      role="status"
      aria-live={isCalm ? 'off' : 'polite'}
      data-state={state}
    >
      {state === 'refused' ? message : wiki.live[state]}
    </span>
  )
}
