import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { invalidateOperations } from '../../../api/queries.ts'
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
  const [initialDraft] = useState(draft)
  const editing = useLiveEditing({ pageId: page.id, draft: initialDraft, editor })
  const finishAndClose = async () => {
    await editing.finish()
    await reloadPage()
    await invalidateOperations('list_page_versions')
    close()
  }
  return (
    <EditorPane
      page={page}
      text={initialDraft.text}
      editor={editor}
      editing={editing}
      onSave={() => void finishAndClose()}
      onEscape={() => void finishAndClose()}
      buttons={
        <>
          <Button
            size="xs"
            disabled={editing.conflict !== undefined}
            onClick={() => void finishAndClose()}
          >
            {wiki.done}
          </Button>
          <KeyCombo command="text.send" />
        </>
      }
      renderState={(id) => <State editing={editing} id={id} />}
    />
  )
}

/** State of the text; changes at each keystroke are not announced. */
function State({
  editing: { state, message, remainingChars },
  id,
}: {
  editing: LiveEditing
  id: string
}) {
  const isNearlyFull = remainingChars < nearlyFullChars
  const isRoutine = (state === 'saved' || state === 'saving') && !isNearlyFull
  return (
    <span
      id={id}
      className={styles.state}
      role="status"
      aria-live={isRoutine ? 'off' : 'polite'}
      data-state={state}
    >
      {state === 'refused' ? message : wiki.live[state]}
      {isNearlyFull && ` ${wiki.room(remainingChars)}`}
    </span>
  )
}
