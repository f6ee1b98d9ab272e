import { useEffect, useMemo, useRef, useState } from 'react'
import { askBeforeLeaving } from '../../../store/index.ts'
import { notifyProblem } from '../../../ui/confirm.tsx'
import { saveMerged, type TextConflict } from '../../../ui/conflicts/text-merge.ts'
import { useRebasedDraft } from '../../../ui/work/kept-drafts.ts'
import { refetchContent, fileSource, type LoadedFile } from './content.ts'
import { fileDraftKey } from './draft.ts'

/** The text of a file during editing: stored in this browser until saved, and merged with others' changes. */
export function useFileText(file: { id: string; name: string }, loaded: LoadedFile) {
  const source = useMemo(() => fileSource(file, loaded), [file, loaded])
  const [saved, setSaved] = useState<{ text: string; revision: number }>(loaded)
  const { text, setText, base, setBase } = useRebasedDraft(fileDraftKey(file.id), loaded.text)
  const [conflict, setConflict] = useState<TextConflict>()
  const [state, setState] = useState<'saving' | 'offline' | 'refused'>()
  const isChanged = text !== base
  useLeaveGuard(isChanged)
  const saveAndMerge = async () => {
    const outcome = await saveMerged({ saved, base, text }, source)
    if (outcome === 'refused') return setState('refused')
    setState(undefined)
    const current = await source.read()
    setSaved(current)
    if (outcome !== 'done') return setConflict(outcome)
    setBase(current.text)
    setText(current.text)
    await refetchContent()
  }
  const save = async () => {
    if (!isChanged || state === 'saving' || conflict) return
    setState(navigator.onLine ? 'saving' : 'offline')
    if (!navigator.onLine) return
    try {
      await saveAndMerge()
    } catch (error) {
      setState('refused')
      notifyProblem(error)
    }
  }
  return {
    text,
    write: (newText: string) => {
      setText(newText)
      setState(undefined)
    },
    isChanged,
    isFixed: conflict !== undefined || state === 'saving',
    status: state ?? (isChanged ? ('changed' as const) : ('unchanged' as const)),
    save,
    conflict,
    /** Continues with the chosen lines of a conflict. */
    resolveConflict: (mergedText: string) => {
      setBase(conflict?.theirs ?? base)
      setText(mergedText)
      setConflict(undefined)
    },
  }
}

/** Makes the browser ask before leaving with unsaved changes. */
function useLeaveGuard(isChanged: boolean): void {
  const unsaved = useRef(isChanged)
  useEffect(() => {
    unsaved.current = isChanged
  })
  useEffect(() => askBeforeLeaving(() => unsaved.current), [])
}
