import { useCallback, useEffect, useRef, useState } from 'react'
import { readOperationAgain } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { formTexts as words } from '../../../texts/en/company/forms.ts'
import { t } from '../../../texts/index.ts'
import { draftsOf, draftProblem, sentField, type FieldDraft, type FullForm } from './fields.ts'

/** Milliseconds after the last change at which the questions are saved. */
const saveAfterMs = 600

type Saving = 'saved' | 'changed' | 'refused'

/**
 * The questions of a form during editing: shown immediately, saved a moment later, and updated with others' changes
 * while nothing is unsaved.
 */
export function useFormDraft(form: FullForm) {
  const [drafts, setDrafts] = useState<readonly FieldDraft[]>(() => draftsOf(form.fields))
  const [saving, setSaving] = useState<Saving>('saved')
  const knownRevision = useRef(form.revision)
  const latest = useRef({ drafts, saving, form })
  useEffect(() => {
    latest.current = { drafts, saving, form }
  })
  useEffect(() => {
    if (saving !== 'saved' || form.revision <= knownRevision.current) return
    knownRevision.current = form.revision
    setDrafts((before) => draftsOf(form.fields, before))
  }, [form, saving])
  const save = useCallback(async (sent: readonly FieldDraft[]) => {
    const { form } = latest.current
    const written = await saveFields(form, sent, knownRevision.current)
    const isLatest = latest.current.drafts === sent
    if (written.state === 'done' && written.value) {
      knownRevision.current = written.value.revision
      const { fields } = written.value
      setDrafts((now) =>
        now.map((draft) => ({ ...draft, id: draft.id ?? fields[indexIn(sent, draft)]?.id })),
      )
    }
    if (isLatest) setSaving(written.state === 'refused' ? 'refused' : 'saved')
    await readOperationAgain('get_form')
  }, [])
  const problem = draftProblem(drafts)
  useEffect(() => {
    if (saving !== 'changed' || problem !== undefined) return
    const timer = setTimeout(() => void save(drafts), saveAfterMs)
    return () => clearTimeout(timer)
  }, [drafts, saving, problem, save])
  useEffect(
    () => () => {
      const { drafts: left, saving: state } = latest.current
      if (state === 'changed' && draftProblem(left) === undefined) void save(left)
    },
    [save],
  )
  const change = (next: readonly FieldDraft[]) => {
    setDrafts(next)
    setSaving('changed')
  }
  return { drafts, change, saving, problem }
}

const indexIn = (drafts: readonly FieldDraft[], { key }: FieldDraft) =>
  drafts.findIndex((draft) => draft.key === key)

const saveFields = (form: FullForm, drafts: readonly FieldDraft[], revision: number) =>
  write(
    'update_form',
    { form_id: form.id, fields: drafts.map(sentField), expected_revision: revision },
    {
      text: t.tasks.changed(form.title, words.builder.changed),
      noticeSeconds: 0,
      lane: `form ${form.id}`,
    },
  )
