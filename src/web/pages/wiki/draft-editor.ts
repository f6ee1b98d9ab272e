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
const resaveDelayMs = 1500

const editingStateOf = (isSaved: boolean): EditingState => (isSaved ? 'clean' : 'draft')

interface Editing {
  state: EditingState
  /** Others changed the same lines: conflicts to resolve first. */
  conflict: readonly MergePart[] | undefined
  onEdit: () => void
  /** Returns whether everything is saved; `continues`: also saves text typed meanwhile. */
  save: (continues?: boolean) => Promise<boolean>
  resolve: (text: string) => void
  /** Removes the draft; later edits are stored again. */
  forget: () => Promise<void>
}

const createTextSaving = (id: string, { base, revision, sent }: PageDraft) =>
  new TextSaving({ text: base, revision }, pageServer(id), sent)

/** Stores edits as a draft, merges changes saved by others, and saves. `page` is reloaded when it changes. */
export function usePageEditing(
  page: PageText,
  draft: PageDraft,
  editor: RefObject<EditorHandle | null>,
): Editing {
  const [saving] = useState(() => createTextSaving(page.id, draft))
  const [state, setState] = useState<EditingState>(() => editingStateOf(saving.isSaved(draft.text)))
  const [conflict, setConflict] = useState<readonly MergePart[]>()
  const draftStore = useDraftStorage(draft, saving, editor, (isSaved) =>
    setState((current) =>
      current === 'saving' || (current === 'waiting' && !isSaved)
        ? current
        : editingStateOf(isSaved),
    ),
  )
  const rebase = (text: string) => {
    saving.rebase({ text: page.text, revision: page.revision })
    editor.current?.replace(text)
    draftStore.now()
  }
  useEffect(() => {
    if (state === 'saving' || conflict || saving.isUncertain) return
    if (page.revision < saving.base.revision || page.text === saving.base.text) return
    const parts = mergeParts(saving.base.text, draftStore.text(), page.text)
    if (conflictsIn(parts).length > 0) return setConflict(parts)
    rebase(mergedText(parts, () => []))
    setState('merged')
  })
  const save = async (continues = false) => {
    if (state === 'saving') return false
    draftStore.now()
    setState('saving')
    const problem = await errorOf(
      saveRepeatedly(saving, { ...draftStore, onProgress: draftStore.now }, continues),
    )
    const isAllSaved = saving.isSaved(draftStore.text())
    if (isAllSaved) await draftStore.forget()
    const { isOffline, code } = problem instanceof ApiError ? problem : {}
    setState(!isAllSaved && isOffline ? 'waiting' : editingStateOf(isAllSaved))
    if (problem && !isOffline && code !== 'conflict') notifyProblem(problem)
    else if (isAllSaved && state !== 'clean') notifySuccess(wiki.saved(page.title))
    return isAllSaved
  }
  const decide = (text: string) => {
    setConflict(undefined)
    rebase(text)
  }
  return {
    state,
    conflict,
    onEdit: draftStore.soon,
    save,
    resolve: decide,
    forget: draftStore.forget,
  }
}

/** Stores the text of an editor on disk if it differs from the original. */
function useDraftStorage(
  { key, text: initialText }: PageDraft,
  saving: TextSaving,
  editor: RefObject<EditorHandle | null>,
  onChecked: (isSaved: boolean) => void,
) {
  // a save continues after the editor is closed
  const lastText = useRef(initialText)
  const currentText = () => {
    lastText.current = editor.current?.text() ?? lastText.current
    return lastText.current
  }
  const apply = (changes: ChangeSet) => {
    if (editor.current) editor.current.apply(changes, undefined)
    else lastText.current = applyTextChanges(lastText.current, changes)
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const cancelTimer = () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  const storeNow = () => {
    cancelTimer()
    const text = currentText()
    const { text: baseText, revision } = saving.base
    const isSaved = saving.isSaved(text)
    onChecked(isSaved)
    void (isSaved
      ? deleteDraft(key)
      : storeDraft({ key, base: baseText, revision, text, ...saving.unsent }))
  }
  const latest = useRef(storeNow)
  useEffect(() => {
    latest.current = storeNow
  })
  // also before the editor is unmounted
  useLayoutEffect(
    () => () => {
      if (timer.current !== undefined) latest.current()
    },
    [],
  )
  const storeSoon = () => {
    cancelTimer()
    timer.current = setTimeout(() => latest.current(), draftDelayMs)
  }
  const forget = () => {
    cancelTimer()
    return deleteDraft(key)
  }
  return { text: currentText, apply, now: storeNow, soon: storeSoon, forget }
}

async function saveRepeatedly(
  saving: TextSaving,
  editor: Parameters<TextSaving['save']>[0],
  continues: boolean,
): Promise<void> {
  await saving.save(editor)
  if (!continues || saving.isSaved(editor.text())) return
  await new Promise((resolve) => setTimeout(resolve, resaveDelayMs))
  await saveRepeatedly(saving, editor, continues)
}

const pageServer = (id: string) => ({
  send: (fields: object) =>
    post('/web/pages/:id/text', { id, ...fields } as PostInput<'/web/pages/:id/text'>),
  createEditId: randomId,
})

const errorOf = (promise: Promise<void>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )
