import type { ChangeSet } from '@codemirror/state'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { conflictsIn, mergedText, mergeParts, type MergePart } from '../../../kernel/text/merge.ts'
import { applyTextChanges } from '../../../kernel/text/text-changes.ts'
import { post, type PostInput } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'
import type { EditorHandle } from '../../editor/MarkdownEditor.tsx'
import { randomId } from '../../store/stream/tabs.ts'
import { wiki } from '../../texts/en/wiki.ts'
import { notifyProblem, notifySuccess } from '../../ui/confirm.tsx'
import { deleteDraft, storeDraft, type PageDraft } from './drafts.ts'
import { TextSaving } from './text-save.ts'

/** The server's text of a page. */
export interface PageText {
  id: string
  title: string
  revision: number
  text: string
}

type EditingState = 'clean' | 'draft' | 'saving' | 'waiting' | 'merged'

const draftDelayMs = 300
/** Delay between saves while typing continues. */
const goOnDelayMs = 1500

const editingStateOf = (isSaved: boolean): EditingState => (isSaved ? 'clean' : 'draft')

interface Editing {
  state: EditingState
  /** Others changed the same lines: conflicts to resolve first. */
  conflict: readonly MergePart[] | undefined
  edited: () => void
  /** Returns whether everything is saved; `goesOn`: includes text typed meanwhile. */
  save: (goesOn?: boolean) => Promise<boolean>
  decide: (text: string) => void
  /** Removes the draft; later edits are stored again. */
  forget: () => Promise<void>
}

/** Stores edits as a draft, merges changes saved by others, and saves. `page` is reloaded when it changes. */
export function usePageEditing(
  page: PageText,
  draft: PageDraft,
  editor: RefObject<EditorHandle | null>,
): Editing {
  const [saving] = useState(
    () =>
      new TextSaving({ text: draft.base, revision: draft.revision }, serverOf(page.id), draft.sent),
  )
  const [state, setState] = useState<EditingState>(() => editingStateOf(saving.isSaved(draft.text)))
  const [conflict, setConflict] = useState<readonly MergePart[]>()
  const keeper = useKeptDraft(draft, saving, editor, (isSaved) =>
    setState((before) =>
      before === 'saving' || (before === 'waiting' && !isSaved) ? before : editingStateOf(isSaved),
    ),
  )
  const rebase = (text: string) => {
    saving.rebase({ text: page.text, revision: page.revision })
    editor.current?.replace(text)
    keeper.now()
  }
  useEffect(() => {
    if (state === 'saving' || conflict || saving.isUncertain) return
    if (page.revision < saving.base.revision || page.text === saving.base.text) return
    const parts = mergeParts(saving.base.text, keeper.text(), page.text)
    if (conflictsIn(parts).length > 0) return setConflict(parts)
    rebase(mergedText(parts, () => []))
    setState('merged')
  })
  const save = async (goesOn = false) => {
    if (state === 'saving') return false
    keeper.now()
    setState('saving')
    const problem = await problemOf(sendAll(saving, { ...keeper, moved: keeper.now }, goesOn))
    const isAll = saving.isSaved(keeper.text())
    if (isAll) await keeper.forget()
    const { isOffline, code } = problem instanceof ApiError ? problem : {}
    setState(!isAll && isOffline ? 'waiting' : editingStateOf(isAll))
    if (problem && !isOffline && code !== 'conflict') notifyProblem(problem)
    else if (isAll && state !== 'clean') notifySuccess(wiki.saved(page.title))
    return isAll
  }
  const decide = (text: string) => {
    setConflict(undefined)
    rebase(text)
  }
  return { state, conflict, edited: keeper.soon, save, decide, forget: keeper.forget }
}

/** Stores the text of an editor on disk if it differs from the original. */
function useKeptDraft(
  { key, text: first }: PageDraft,
  saving: TextSaving,
  editor: RefObject<EditorHandle | null>,
  looked: (isSaved: boolean) => void,
) {
  // a save continues after the editor is closed
  const seen = useRef(first)
  const textNow = () => {
    seen.current = editor.current?.text() ?? seen.current
    return seen.current
  }
  const apply = (changes: ChangeSet) => {
    if (editor.current) editor.current.apply(changes, undefined)
    else seen.current = applyTextChanges(seen.current, changes)
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stop = () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  const now = () => {
    stop()
    const text = textNow()
    const { text: before, revision } = saving.base
    const isSaved = saving.isSaved(text)
    looked(isSaved)
    void (isSaved
      ? deleteDraft(key)
      : storeDraft({ key, base: before, revision, text, ...saving.unsent }))
  }
  const latest = useRef(now)
  useEffect(() => {
    latest.current = now
  })
  // also before the editor is unmounted
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
  return { text: textNow, apply, now, soon, forget }
}

async function sendAll(
  saving: TextSaving,
  editor: Parameters<TextSaving['save']>[0],
  goesOn: boolean,
): Promise<void> {
  await saving.save(editor)
  if (!goesOn || saving.isSaved(editor.text())) return
  await new Promise((next) => setTimeout(next, goOnDelayMs))
  await sendAll(saving, editor, goesOn)
}

const serverOf = (id: string) => ({
  send: (piece: object) =>
    post('/web/pages/:id/text', { id, ...piece } as PostInput<'/web/pages/:id/text'>),
  name: randomId,
})

const problemOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
