import { useEffect, useMemo, useRef, useState } from 'react'
import { askBeforeLeaving } from '../../../store/index.ts'
import { notifyProblem } from '../../../ui/confirm.tsx'
import { saveMerged, type TextConflict } from '../../../ui/conflicts/text-merge.ts'
import { useRebasedDraft } from '../../../ui/work/kept-drafts.ts'
import { contentChanged, fileSource, type ReadFile } from './content.ts'
import { draftOfFile } from './draft.ts'

/** The text of a file during editing: stored in this browser until saved, and merged with others' changes. */
export function useFileText(file: { id: string; name: string }, read: ReadFile) {
  const source = useMemo(() => fileSource(file, read), [file, read])
  const [saved, setSaved] = useState<{ text: string; revision: number }>(read)
  const { text, setText, base, setBase } = useRebasedDraft(draftOfFile(file.id), read.text)
  const [conflict, setConflict] = useState<TextConflict>()
  const [state, setState] = useState<'saving' | 'offline' | 'refused'>()
  const isChanged = text !== base
  useLeaveGuard(isChanged)
  const send = async () => {
    const outcome = await saveMerged({ saved, base, text }, source)
    if (outcome === 'refused') return setState('refused')
    setState(undefined)
    const now = await source.read()
    setSaved(now)
    if (outcome !== 'done') return setConflict(outcome)
    setBase(now.text)
    setText(now.text)
    await contentChanged()
  }
  const save = async () => {
    if (!isChanged || state === 'saving' || conflict) return
    setState(navigator.onLine ? 'saving' : 'offline')
    if (!navigator.onLine) return
    try {
      await send()
    } catch (error) {
      setState('refused')
      notifyProblem(error)
    }
  }
  return {
    text,
    write: (written: string) => {
      setText(written)
      setState(undefined)
    },
    isChanged,
    isFixed: conflict !== undefined || state === 'saving',
    standing: state ?? (isChanged ? ('changed' as const) : ('unchanged' as const)),
    save,
    conflict,
    /** Continues with the chosen lines of a conflict. */
    settle: (chosen: string) => {
      setBase(conflict?.theirs ?? base)
      setText(chosen)
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
