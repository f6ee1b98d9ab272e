import { Textarea } from '@mantine/core'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { t } from '../../texts/index.ts'
import {
  saveMerged,
  type SavedText,
  type TextConflict,
  type TextSource,
} from '../conflicts/text-merge.ts'
import { TextEditor } from '../conflicts/TextEditor.tsx'
import { Markdown } from '../Markdown.tsx'
import { onDemand } from '../on-demand.tsx'
import styles from './fields.module.css'
import { hasDraft } from './kept-drafts.ts'

const Conflicts = onDemand(() =>
  import('../conflicts/Conflicts.tsx').then(({ Conflicts: Part }) => Part),
)

/**
 * Maximum length of titles for which the last write wins; longer ones are texts, which must not be overwritten
 * unseen.
 */
const maxPlainTitleChars = 200

interface TitleInputProps {
  title: string
  label: string
  save: (title: string) => void
  /** Revision and source for merging a long title with changes by others; without it the last write wins. */
  mergeSource?: { revision: number; source: TextSource }
  /** True if it is the heading of the page. */
  isHeading?: boolean
}

/** The title of a page, edited in place: Enter or blur saves, Escape reverts. */
export function TitleInput({ title, label, save, mergeSource, isHeading = true }: TitleInputProps) {
  const [edit, setEdit] = useState<{ text: string; base: string }>()
  const [conflict, setConflict] = useState<TextConflict>()
  const isCancelled = useRef(false)
  const saveTitle = async (newTitle: string, base: string) => {
    if (newTitle === base) return setEdit(undefined)
    if (!mergeSource || Math.max(newTitle.length, base.length) <= maxPlainTitleChars) {
      save(newTitle)
      return setEdit(undefined)
    }
    const saved = { text: title, revision: mergeSource.revision }
    const outcome = await saveMerged({ saved, base, text: newTitle }, mergeSource.source)
    if (typeof outcome === 'string') setEdit(undefined)
    else setConflict(outcome)
  }
  const onBlur = () => {
    if (!edit || conflict) return
    const newTitle = oneLine(edit.text)
    const shouldSave = !isCancelled.current && newTitle !== ''
    isCancelled.current = false
    void saveTitle(shouldSave ? newTitle : edit.base, edit.base)
  }
  const resolveConflict = (resolvedText: string) => {
    setConflict(undefined)
    void saveTitle(oneLine(resolvedText), conflict?.theirs ?? title)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') isCancelled.current = true
    else if (event.key !== 'Enter') return
    event.preventDefault()
    event.currentTarget.blur()
  }
  return (
    <>
      {isHeading && <h1 className={styles.hidden}>{title}</h1>}
      {conflict && <Conflicts parts={conflict.parts} apply={resolveConflict} />}
      <Textarea
        data-title
        value={edit?.text ?? title}
        onChange={({ currentTarget: { value: text } }) =>
          setEdit((current) => ({ text, base: current?.base ?? title }))
        }
        onBlur={onBlur}
        onKeyDown={onKeyDown}
        readOnly={conflict !== undefined}
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

const oneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ')

interface MarkdownInputProps {
  saved: SavedText
  source: TextSource
  label: string
  /** Label of the button that starts a text if there is none. */
  add: string
  /** Storage key of the draft; unique per text. */
  draft: string
  /** The item of the text, if changes by others should appear during editing. */
  itemId?: string
  /** Renders the text; by default as Markdown. */
  render?: (text: string) => ReactNode
}

const renderMarkdown = (text: string) => <Markdown text={text} parentLevel={1} />

/** A text: rendered for reading, edited as Markdown. A draft is kept until it is saved or discarded. */
export function MarkdownInput(props: MarkdownInputProps) {
  return <EditableText key={props.draft} {...props} />
}

function EditableText(props: MarkdownInputProps) {
  const { saved, source, label, add, draft, itemId, render = renderMarkdown } = props
  const [isEditing, setEditing] = useState(() => hasDraft(draft))
  const edit = () => setEditing(true)
  if (isEditing)
    return (
      <TextEditor {...{ saved, source, label, draft, itemId }} close={() => setEditing(false)} />
    )
  return (
    <div className={styles.text}>
      {saved.text === '' ? (
        <button type="button" className={styles.addText} onClick={edit}>
          {add}
        </button>
      ) : (
        <>
          {render(saved.text)}
          <button type="button" className={styles.action} data-plain onClick={edit}>
            {t.planning.edit}
          </button>
        </>
      )}
    </div>
  )
}
