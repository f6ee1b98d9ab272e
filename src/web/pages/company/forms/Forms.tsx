import { useDocumentTitle } from '@mantine/hooks'
import { IconForms, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState, type FormEvent } from 'react'
import { useList } from '../../../api/queries.ts'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import { write } from '../../../store/index.ts'
import { formTexts as words } from '../../../texts/en/company/forms.ts'
import { t } from '../../../texts/index.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import planning from '../../planning/planning.module.css'
import { SearchField } from '../SearchField.tsx'
import styles from './forms.module.css'

/** The forms of the organization, with their numbers of answers. */
export function Forms() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const [query, setQuery] = useState('')
  const [isCreating, setCreating] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const searchText = query.trim()
  const forms = useList('list_forms', {
    limit: 50,
    ...(searchText !== '' && { query: searchText }),
  })
  useRowKeys(list)
  useCommands({
    'form.create': () => setCreating(true),
    'view.filter': () => field.current?.focus(),
  })
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1>{words.title}</h1>
        <SearchField field={field} label={words.search} query={query} setQuery={setQuery} />
        <span className={planning.spring} />
        <button
          type="button"
          className={planning.primary}
          onClick={() => runCommand('form.create')}
        >
          <IconPlus size={15} stroke={2} aria-hidden />
          {words.create}
        </button>
      </header>
      <QueryContent query={forms}>
        {() =>
          forms.items.length === 0 ? (
            <div className={planning.padded}>
              <EmptyState icon={IconForms} {...words.empty} />
            </div>
          ) : (
            <ul ref={list} className={styles.list}>
              {forms.items.map((form) => (
                <li key={form.id} className={styles.row}>
                  <AppLink to={`/forms/${form.id}`} className={styles.name} data-row dir="auto">
                    {form.title}
                  </AppLink>
                  <span className={styles.state} data-state={form.status}>
                    {words.states[form.status]}
                  </span>
                  <span className={planning.note}>{words.answers(form.response_count)}</span>
                  <span className={planning.note}>
                    <Ago time={form.updated_at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
      <MoreButton query={forms} />
      <Dialog isOpen={isCreating} close={() => setCreating(false)} title={words.create}>
        <NewForm close={() => setCreating(false)} />
      </Dialog>
    </div>
  )
}

/** Creates a form with one question, and opens its builder. */
function NewForm({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    close()
    const result = await write(
      'create_form',
      { title: title.trim(), fields: [{ label: words.firstField, type: 'short_text' }] },
      { text: words.created(title.trim()) },
    )
    if (result.state === 'done' && result.value) void navigate({ to: `/forms/${result.value.id}` })
  }
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <label>
        {words.name}
        <input
          data-autofocus
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          required
          maxLength={500}
          autoComplete="off"
          dir="auto"
        />
      </label>
      <button type="submit" className={planning.primary} disabled={title.trim() === ''}>
        {words.create}
      </button>
    </form>
  )
}
