import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { formTexts } from '../../../texts/en/company/forms.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import planning from '../../planning/planning.module.css'
import { FieldCard } from './FieldCard.tsx'
import { moveField, newField, withoutField, type FieldDraft, type FullForm } from './fields.ts'
import { FormPreview } from './FormPreview.tsx'
import styles from './forms.module.css'
import { useFormDraft } from './useFormDraft.ts'

const { builder: words } = formTexts

/** The questions of a form, beside a preview of the page. */
export function Builder({ form }: { form: FullForm }) {
  const { drafts, change, saving: saveState, problem } = useFormDraft(form)
  const [openKey, setOpenKey] = useState<string>()
  const list = useRef<HTMLOListElement>(null)
  const answerCountOf = useAnswerCounts(form)
  const remove = useRemove(answerCountOf, drafts, change)
  const add = () => {
    const field = newField('')
    change([...drafts, field])
    setOpenKey(field.key)
  }
  useRowKeys(list)
  useBuilderCommands({ drafts, change, remove, add })
  const state = saveState === 'saved' ? words.saved : words.saving
  return (
    <div className={styles.beside}>
      <section aria-label={words.label}>
        <ol ref={list} className={styles.fields}>
          {drafts.map((draft, n) => (
            <FieldCard
              key={draft.key}
              draft={draft}
              number={n}
              count={drafts.length}
              earlier={drafts.slice(0, n)}
              answered={answerCountOf(draft)}
              isOpen={openKey === draft.key}
              open={() => setOpenKey(openKey === draft.key ? undefined : draft.key)}
              change={(next) =>
                change(drafts.map((other) => (other.key === draft.key ? next : other)))
              }
              move={(key, to) => change(moveField(drafts, key, to))}
              remove={() => void remove(draft)}
            />
          ))}
        </ol>
        <div className={styles.under}>
          <button
            type="button"
            className={planning.button}
            onClick={() => runCommand('form.addField')}
          >
            <IconPlus size={15} aria-hidden />
            {words.add} <KeyCombo command="form.addField" />
          </button>
          <span role="status" className={problem ? styles.problem : planning.note}>
            {problem && saveState !== 'saved' ? words.unsaved(words[problem]) : state}
          </span>
        </div>
        <RetiredFields form={form} />
      </section>
      <FormPreview title={form.title} about={form.description_markdown} fields={drafts} />
    </div>
  )
}

type Change = (drafts: readonly FieldDraft[]) => void

/** Number of answers, by question. */
function useAnswerCounts({ id: form_id }: FullForm) {
  const { data } = useOperation('get_form_stats', { form_id })
  return ({ id }: FieldDraft) =>
    data?.by_field.find((field) => field.field_id === id)?.answered ?? 0
}

/** Removes a question; if it has answers, asks first and explains what happens to them. */
function useRemove(
  answerCountOf: (draft: FieldDraft) => number,
  drafts: readonly FieldDraft[],
  change: Change,
) {
  return async (draft: FieldDraft) => {
    const { key, label } = draft
    const isSure =
      answerCountOf(draft) === 0 ||
      (await confirm({
        title: words.hasAnswers(label),
        text: words.loses(answerCountOf(draft)),
        action: words.removeAction,
      }))
    if (isSure) change(withoutField(drafts, key))
  }
}

interface BuilderCommands {
  drafts: readonly FieldDraft[]
  change: Change
  remove: (draft: FieldDraft) => Promise<void>
  add: () => void
}

/** Keyboard commands for the current question. */
function useBuilderCommands({ drafts, change, remove, add }: BuilderCommands): void {
  const currentIndex = () => {
    const card = document.activeElement?.closest<HTMLElement>('[data-field]')
    return drafts.findIndex(({ key }) => key === card?.dataset.field)
  }
  const moveBy = (step: number) => () => {
    const index = currentIndex()
    const draft = drafts[index]
    if (!draft) return false
    change(moveField(drafts, draft.key, index + step))
    return true
  }
  useCommands({
    'form.addField': add,
    'form.fieldUp': moveBy(-1),
    'form.fieldDown': moveBy(1),
    'form.removeField': () => {
      const draft = drafts[currentIndex()]
      if (!draft || drafts.length === 1) return false
      void remove(draft)
      return true
    },
  })
}

/** Removed questions that have answers. */
function RetiredFields({ form }: { form: FullForm }) {
  const { retired_fields: retired = [] } = form
  if (retired.length === 0) return null
  return (
    <section className={planning.section}>
      <h2 className={styles.small}>{words.retired}</h2>
      <ul className={styles.retired}>
        {retired.map(({ id, label }) => (
          <li key={id} dir="auto">
            {label}
          </li>
        ))}
      </ul>
    </section>
  )
}
