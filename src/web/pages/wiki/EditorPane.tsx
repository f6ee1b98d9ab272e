import { Button } from '@mantine/core'
import { useEffect, useId, useState, type ReactNode, type RefObject } from 'react'
import type { ChangeSet } from '@codemirror/state'
import type { MergePart } from '../../../kernel/text/merge.ts'
import { lineEndsOf } from '../../editor/line-ends.ts'
import { MarkdownEditor, type EditorHandle } from '../../editor/MarkdownEditor.tsx'
import { useCommands } from '../../keys/commands.ts'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import { wiki } from '../../texts/en/wiki.ts'
import { Conflicts } from '../../ui/conflicts/Conflicts.tsx'
import { registerSelection } from './comments/selection.ts'
import { completionFor, type CompletedPage } from './completion.ts'
import { OutlineButton } from './OutlineButton.tsx'
import styles from './wiki.module.css'

interface Props {
  page: CompletedPage
  /** Initial text of the editor. */
  text: string
  editor: RefObject<EditorHandle | null>
  /** Editing state: the conflict to resolve first, and the handlers of changes. */
  editing: {
    conflict: readonly MergePart[] | undefined
    resolve: (text: string) => void
    onEdit: (changes: ChangeSet) => void
    /** Called when the cursor moves. */
    onMove?: (position: number) => void
  }
  onSave: () => void
  onEscape: () => void
  /** Placed before the button that shows the source. */
  buttons: ReactNode
  /** State of the text; the editor is described by it. */
  renderState: (id: string) => ReactNode
}

/** The editor of a page with its footer, or instead the conflicting changes of others. */
export function EditorPane({
  page,
  text,
  editor,
  editing: { conflict, resolve, onEdit, onMove },
  onSave,
  onEscape,
  buttons,
  renderState,
}: Props) {
  const stateId = useId()
  const [isSource, setSource] = useState(false)
  const hasConflict = conflict !== undefined
  const completion = completionFor(page)
  useEffect(() => {
    if (!hasConflict) editor.current?.focus()
  }, [hasConflict, editor])
  useEffect(() => registerSelection(() => editor.current?.selection()), [editor])
  useCommands({ 'page.source': () => setSource(!isSource) })
  return (
    <div className={styles.writing}>
      {conflict && <Conflicts parts={conflict} apply={resolve} />}
      <div hidden={hasConflict}>
        <MarkdownEditor
          ref={editor}
          text={text}
          label={wiki.text(page.title)}
          describedBy={stateId}
          placeholder={wiki.placeholder}
          isSource={isSource}
          completion={completion}
          onEdit={onEdit}
          onMove={onMove}
          onSave={onSave}
          onEscape={onEscape}
        />
      </div>
      <div className={styles.bar}>
        {buttons}
        <Button
          size="xs"
          variant="subtle"
          aria-pressed={isSource}
          onClick={() => setSource(!isSource)}
          rightSection={<KeyCombo command="page.source" />}
        >
          {wiki.source}
        </Button>
        <OutlineButton headings={() => editor.current?.headings() ?? []} />
        {renderState(stateId)}
        <span className={styles.state}>{wiki.ends[lineEndsOf(text)]}</span>
      </div>
    </div>
  )
}
