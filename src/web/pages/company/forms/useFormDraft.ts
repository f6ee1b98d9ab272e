import { useCallback, useEffect, useRef, useState } from 'react'
import { invalidateOperations } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { formTexts as words } from '../../../texts/en/company/forms.ts'
import { t } from '../../../texts/index.ts'
import { draftsOf, draftProblem, fieldInput, type FieldDraft, type FullForm } from './fields.ts'

/** Milliseconds after the last change at which the questions are saved. */
const saveAfterMs = 600

type SaveState = 'saved' | 'changed' | 'refused'

/**
 * The questions of a form during editing: shown immediately, saved a moment later, and updated with others' changes
 * while nothing is unsaved.
 */
export function useFormDraft(form: FullForm) {
  const [drafts, setDrafts] = useState<readonly FieldDraft[]>(() => draftsOf(form.fields))
  const [saveState, setSaveState] = useState<SaveState>('saved')
  const knownRevision = useRef(form.revision)
  const latest = useRef({ drafts, saving: saveState, form })
  useEffect(() => {
    latest.current = { drafts, saving: saveState, form }
  })
  useEffect(() => {
    if (saveState !== 'saved' || form.revision <= knownRevision.current) return
    knownRevision.current = form.revision
    setDrafts((previous) => draftsOf(form.fields, previous))
  }, [form, saveState])
  const save = useCallback(async (sentDrafts: readonly FieldDraft[]) => {
    const { form } = latest.current
    const result = await saveFields(form, sentDrafts, knownRevision.current)
    const isLatest = latest.current.drafts === sentDrafts
    if (result.state === 'done' && result.value) {
      knownRevision.current = result.value.revision
      const { fields } = result.value
      setDrafts((current) =>
        current.map((draft) => ({
          ...draft,
          id: draft.id ?? fields[indexIn(sentDrafts, draft)]?.id,
        })),
      )
    }
    if (isLatest) setSaveState(result.state === 'refused' ? 'refused' : 'saved')
    await invalidateOperations('get_form')
  }, [])
  const problem = draftProblem(drafts)
  useEffect(() => {
    if (saveState !== 'changed' || problem !== undefined) return
    const timer = setTimeout(() => void save(drafts), saveAfterMs)
    return () => clearTimeout(timer)
  }, [drafts, saveState, problem, save])
  useEffect(
    () => () => {
      const { drafts: lastDrafts, saving: state } = latest.current
      if (state === 'changed' && draftProblem(lastDrafts) === undefined) void save(lastDrafts)
    },
    [save],
  )
  const change = (next: readonly FieldDraft[]) => {
    setDrafts(next)
    setSaveState('changed')
  }
  return { drafts, change, saving: saveState, problem }
}

const indexIn = (drafts: readonly FieldDraft[], { key }: FieldDraft) =>
  drafts.findIndex((draft) => draft.key === key)

const saveFields = (form: FullForm, drafts: readonly FieldDraft[], revision: number) =>
  write(
    'update_form',
    { form_id: form.id, fields: drafts.map(fieldInput), expected_revision: revision },
    {
      text: t.tasks.changed(form.title, words.builder.changed),
      noticeSeconds: 0,
      lane: `form ${form.id}`,
    },
  )
