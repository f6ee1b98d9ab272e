import { useDebouncedValue } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { call, type Output } from '../../../api/client.ts'
import { readOperationAgain, useList } from '../../../api/queries.ts'
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
import { TaskOfSource } from '../TaskOfSource.tsx'
import { AnswerFigures, valueWords, type ChosenValue } from './AnswerFigures.tsx'
import { AnswerRow } from './AnswerRow.tsx'
import { answerColumns, type FullForm } from './fields.ts'
import styles from './forms.module.css'

export type Answer = Output<'list_form_responses'>['items'][number]
const { table: words } = formTexts

/** The answers of a form as a table, with statistics and exports. */
export function AnswerTable({ form }: { form: FullForm }) {
  const [query, setQuery] = useState('')
  const [task, setTask] = useState<Answer>()
  const [chosen, setChosen] = useState<ChosenValue>()
  const field = useRef<HTMLInputElement>(null)
  const rows = useRef<HTMLTableSectionElement>(null)
  const [asked] = useDebouncedValue(query.trim(), 200)
  const responses = useList('list_form_responses', {
    form_id: form.id,
    limit: 50,
    ...(asked !== '' && { query: asked }),
    ...(chosen && { field_filters: { [chosen.fieldId]: chosen.value } }),
  })
  useRowKeys(rows)
  useCommands({
    'view.filter': () => field.current?.focus(),
    'form.export': () => void exportAnswers(form, 'csv'),
  })
  const columns = answerColumns(form, responses.items)
  return (
    <>
      <AnswerFigures form={form} chosen={chosen} choose={setChosen} />
      <div className={styles.tools}>
        <SearchField field={field} label={words.search} query={query} setQuery={setQuery} />
        {chosen && <Narrowed to={chosen} end={() => setChosen(undefined)} />}
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
        <p className={planning.quiet}>{asked === '' && !chosen ? words.none : words.noneFound}</p>
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
                  makeTask={() => setTask(answer)}
                  erase={() => void erase(form, answer)}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <MoreButton query={responses} />
      <Dialog isOpen={task !== undefined} close={() => setTask(undefined)} title={words.toTask}>
        {task && (
          <TaskOfSource
            source={{ type: 'form_response', id: task.id, title: words.taskTitle(form.title) }}
            onCreated={() => void readOperationAgain('list_form_responses')}
            close={() => setTask(undefined)}
          />
        )}
      </Dialog>
    </>
  )
}

/** The value by which the answers are filtered; a press clears the filter. */
function Narrowed({ to: { label, value }, end }: { to: ChosenValue; end: () => void }) {
  return (
    <button type="button" className={planning.button} aria-label={words.notNarrowed} onClick={end}>
      <span dir="auto">{words.narrowedTo(label, valueWords(value))}</span>
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
  await readOperationAgain('list_form_responses', 'get_form', 'get_form_stats')
}
