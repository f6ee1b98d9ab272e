import { useDebouncedValue } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { call, type Output } from '../../../api/client.ts'
import { invalidateOperations, useList } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { write } from '../../../store/index.ts'
import { formTexts } from '../../../texts/en/company/forms.ts'
import { t } from '../../../texts/index.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Problem } from '../../../ui/states.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import planning from '../../planning/planning.module.css'
import { saveExported } from '../save-export.ts'
import { SearchField } from '../SearchField.tsx'
import { SourceTaskForm } from '../TaskOfSource.tsx'
import { AnswerFigures, formatValue, type ChosenValue } from './AnswerFigures.tsx'
import { AnswerRow } from './AnswerRow.tsx'
import { answerColumns, type FullForm } from './fields.ts'
import styles from './forms.module.css'

export type Answer = Output<'list_form_responses'>['items'][number]
const { table: words } = formTexts

/** The answers of a form as a table, with statistics and exports. */
export function AnswerTable({ form }: { form: FullForm }) {
  const [query, setQuery] = useState('')
  const [source, setSource] = useState<Answer>()
  const [chosenValue, setChosen] = useState<ChosenValue>()
  const field = useRef<HTMLInputElement>(null)
  const rows = useRef<HTMLTableSectionElement>(null)
  const [debouncedQuery] = useDebouncedValue(query.trim(), 200)
  const responses = useList('list_form_responses', {
    form_id: form.id,
    limit: 50,
    ...(debouncedQuery !== '' && { query: debouncedQuery }),
    ...(chosenValue && { field_filters: { [chosenValue.fieldId]: chosenValue.value } }),
  })
  useRowKeys(rows)
  useCommands({
    'view.filter': () => field.current?.focus(),
    'form.export': () => void exportAnswers(form, 'csv'),
  })
  const columns = answerColumns(form, responses.items)
  return (
    <>
      <AnswerFigures form={form} chosen={chosenValue} choose={setChosen} />
      <div className={styles.tools}>
        <SearchField field={field} label={words.search} query={query} setQuery={setQuery} />
        {chosenValue && <ActiveFilter filter={chosenValue} clear={() => setChosen(undefined)} />}
        {(['csv', 'json'] as const).map((format) => (
          <button
            key={format}
            type="button"
            className={planning.button}
            onClick={() => void exportAnswers(form, format)}
          >
            {words.exports[format]}
          </button>
        ))}
      </div>
      {responses.error && (
        <Problem error={responses.error} retry={() => void responses.refetch()} />
      )}
      {!responses.isPending && responses.items.length === 0 && (
        <p className={planning.quiet}>
          {debouncedQuery === '' && !chosenValue ? words.none : words.noneFound}
        </p>
      )}
      {responses.items.length > 0 && (
        <section className={styles.scroll} aria-label={words.label}>
          <table className={styles.answers}>
            <thead>
              <tr>
                <th scope="col">{words.submitted}</th>
                <th scope="col">{words.respondent}</th>
                {columns.map(({ id, label, isRemoved }) => (
                  <th key={id} scope="col" dir="auto">
                    {label}
                    {isRemoved && <span className={styles.then}>{words.removed}</span>}
                  </th>
                ))}
                <th scope="col">{words.became}</th>
              </tr>
            </thead>
            <tbody ref={rows}>
              {responses.items.map((answer) => (
                <AnswerRow
                  key={answer.id}
                  answer={answer}
                  columns={columns}
                  createTask={() => setSource(answer)}
                  erase={() => void erase(form, answer)}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <MoreButton query={responses} />
      <Dialog isOpen={source !== undefined} close={() => setSource(undefined)} title={words.toTask}>
        {source && (
          <SourceTaskForm
            source={{ type: 'form_response', id: source.id, title: words.taskTitle(form.title) }}
            onCreated={() => void invalidateOperations('list_form_responses')}
            close={() => setSource(undefined)}
          />
        )}
      </Dialog>
    </>
  )
}

/** The value by which the answers are filtered; a press clears the filter. */
function ActiveFilter({
  filter: { label, value },
  clear,
}: {
  filter: ChosenValue
  clear: () => void
}) {
  return (
    <button
      type="button"
      className={planning.button}
      aria-label={words.notNarrowed}
      onClick={clear}
    >
      <span dir="auto">{words.narrowedTo(label, formatValue(value))}</span>
      <IconX size={14} aria-hidden />
    </button>
  )
}

const exportAnswers = ({ id, title }: FullForm, format: 'csv' | 'json'): Promise<void> =>
  saveExported(call('export_form_responses', { form_id: id, format }), {
    name: `${title}.${format}`,
    type: format === 'csv' ? 'text/csv' : 'application/json',
  })

async function erase(form: FullForm, { id }: Answer): Promise<void> {
  const isSure = await confirm({
    title: words.eraseTitle,
    text: words.eraseText,
    action: words.erase,
  })
  if (!isSure) return
  await write(
    'delete_form_response',
    { form_id: form.id, response_id: id },
    { text: t.tasks.changed(form.title, words.erase), undo: false },
  )
  await invalidateOperations('list_form_responses', 'get_form', 'get_form_stats')
}
