import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { conflictsIn, mergedText, mergeParts, type MergePart } from '../../../kernel/text/merge.ts'
import type { EditorHandle } from '../../editor/MarkdownEditor.tsx'
import { write } from '../../store/index.ts'
import { wiki } from '../../texts/en/wiki.ts'
import { deleteDraft, storeDraft, type PageDraft } from './drafts.ts'

/** The text of a page as the server has it. */
export interface PageText {
  id: string
  title: string
  revision: number
  text: string
}

type EditingState = 'clean' | 'draft' | 'saving' | 'merged'

const draftDelayMs = 300

interface Editing {
  state: EditingState
  /** Others changed the same lines: what has to be decided first. */
  conflict: readonly MergePart[] | undefined
  edited: () => void
  /** Whether everything is saved by now. */
  save: () => Promise<boolean>
  decide: (text: string) => void
  /** Removes the draft; what is edited from now on is kept again. */
  forget: () => Promise<void>
}

interface Base {
  text: string
  revision: number
}

/** Keeps what is written as a draft, merges what others save meanwhile, and saves. `page` is read again when it changes. */
export function usePageEditing(
  page: PageText,
  draft: PageDraft,
  editor: RefObject<EditorHandle | null>,
): Editing {
  const base = useRef<Base>({ text: draft.base, revision: draft.revision })
  const [state, setState] = useState<EditingState>(draft.text === draft.base ? 'clean' : 'draft')
  const [conflict, setConflict] = useState<readonly MergePart[]>()
  const mine = () => editor.current?.text() ?? draft.text
  const kept = useKeptDraft(draft.key, base, editor, setState)
  const rebase = (text: string) => {
    base.current = { text: page.text, revision: page.revision }
    editor.current?.replace(text)
    kept.now()
  }
  useEffect(() => {
    if (state === 'saving' || conflict) return
    if (page.revision < base.current.revision || page.text === base.current.text) return
    const parts = mergeParts(base.current.text, mine(), page.text)
    if (conflictsIn(parts).length > 0) return setConflict(parts)
    rebase(mergedText(parts, () => []))
    setState('merged')
  })
  const save = async () => {
    const text = mine()
    kept.now()
    if (text === base.current.text) return true
    setState('saving')
    const revision = await saveText(page, text, base.current.revision)
    if (revision !== undefined) base.current = { text, revision }
    const isAll = revision !== undefined && mine() === text
    if (isAll) await kept.forget()
    setState(isAll ? 'clean' : 'draft')
    return isAll
  }
  const decide = (text: string) => {
    setConflict(undefined)
    rebase(text)
  }
  return { state, conflict, edited: kept.soon, save, decide, forget: kept.forget }
}

/** Keeps the text of an editor on the disk, where it differs from what it began with. */
function useKeptDraft(
  key: string,
  base: RefObject<Base>,
  editor: RefObject<EditorHandle | null>,
  setState: (state: EditingState) => void,
) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stop = () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  const now = () => {
    stop()
    const text = editor.current?.text()
    if (text === undefined) return
    const { text: before, revision } = base.current
    setState(text === before ? 'clean' : 'draft')
    void (text === before ? deleteDraft(key) : storeDraft({ key, base: before, revision, text }))
  }
  const latest = useRef(now)
  useEffect(() => {
    latest.current = now
  })
  // before the editor goes, too
  useLayoutEffect(
    () => () => {
      if (timer.current !== undefined) latest.current()
    },
    [],
  )
  const soon = () => {
    stop()
    timer.current = setTimeout(() => latest.current(), draftDelayMs)
  }
  const forget = () => {
    stop()
    return deleteDraft(key)
  }
  return { now, soon, forget }
}

/** Sends a text: the revision that the page has by it; undefined where it was refused. */
async function saveText(
  page: PageText,
  text: string,
  base_revision: number,
): Promise<number | undefined> {
  const result = await write(
    'update_page',
    { page_id: page.id, body_markdown: text, base_revision },
    {
      text: wiki.saved(page.title),
      lane: `page ${page.id}`,
      handles: (error) => error.code === 'conflict',
    },
  )
  return result.state === 'done' ? (result.value?.revision ?? base_revision) : undefined
}
