import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { readOperationAgain } from '../../../api/queries.ts'
import type { EditorHandle } from '../../../editor/MarkdownEditor.tsx'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { wiki } from '../../../texts/en/wiki.ts'
import type { CompletedPage } from '../completion.ts'
import type { PageDraft } from '../drafts.ts'
import { EditorPane } from '../EditorPane.tsx'
import { reloadPage } from '../sharing/page.ts'
import styles from '../wiki.module.css'
import { useLiveEditing, type LiveEditing } from './live-writer.ts'

interface Props {
  page: CompletedPage
  draft: PageDraft
  close: () => void
}

/** Below this remaining capacity, the number of remaining characters is shown. */
const nearlyFullChars = 20_000

/** The text of a page during live editing, with automatic saving. */
export function LiveEditor({ page, draft, close }: Props) {
  const editor = useRef<EditorHandle>(null)
  const [first] = useState(draft)
  const editing = useLiveEditing({ pageId: page.id, draft: first, editor })
  const leave = async () => {
    await editing.finish()
    await reloadPage()
    await readOperationAgain('list_page_versions')
    close()
  }
  return (
    <EditorPane
      page={page}
      text={first.text}
      editor={editor}
      editing={editing}
      onSave={() => void leave()}
      onEscape={() => void leave()}
      buttons={
        <>
          <Button size="xs" disabled={editing.conflict !== undefined} onClick={() => void leave()}>
            {wiki.done}
          </Button>
          <KeyCombo command="text.send" />
        </>
      }
      state={(id) => <State editing={editing} id={id} />}
    />
  )
}

/** State of the text; changes with each key are not announced. */
function State({ editing: { state, message, room }, id }: { editing: LiveEditing; id: string }) {
  const isNearlyFull = room < nearlyFullChars
  const isCalm = (state === 'saved' || state === 'saving') && !isNearlyFull
  return (
    <span
      id={id}
      className={styles.state}
      role="status"
      aria-live={isCalm ? 'off' : 'polite'}
      data-state={state}
    >
      {state === 'refused' ? message : wiki.live[state]}
      {isNearlyFull && ` ${wiki.room(room)}`}
    </span>
  )
}
