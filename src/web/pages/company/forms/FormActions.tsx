import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { invalidateOperations } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { write } from '../../../store/index.ts'
import { formTexts as words } from '../../../texts/en/company/forms.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import planning from '../../planning/planning.module.css'
import { isoOfLocal } from '../moments.ts'
import type { FullForm } from './fields.ts'

type Audience = FullForm['settings']['audience']

/** Opens or closes a form for answers, or moves it to the trash. */
export function FormActions({ form }: { form: FullForm }) {
  const navigate = useNavigate()
  const [openDialog, setOpenDialog] = useState<'publish' | 'close'>()
  const isOpen = form.status === 'published'
  const toggle = () => setOpenDialog(isOpen ? 'close' : 'publish')
  const remove = async () => {
    const result = await write(
      'delete_form',
      { form_id: form.id },
      { text: t.tasks.changed(form.title, words.removed) },
    )
    if (result.state === 'done') void navigate({ to: '/forms' })
  }
  useCommands({
    'form.publish': toggle,
    'form.delete': () => void remove(),
    'list.back': () => void navigate({ to: '/forms' }),
  })
  const close = () => setOpenDialog(undefined)
  return (
    <>
      <button type="button" className={planning.button} data-plain onClick={() => void remove()}>
        {words.remove}
      </button>
      <button
        type="button"
        className={isOpen ? planning.button : planning.primary}
        onClick={toggle}
      >
        {isOpen ? words.close.open : words.publish[form.status === 'draft' ? 'open' : 'again']}
      </button>
      <Dialog
        isOpen={openDialog === 'publish'}
        close={close}
        title={words.publish.title(form.title)}
      >
        <PublishFields form={form} close={close} />
      </Dialog>
      <Dialog isOpen={openDialog === 'close'} close={close} title={words.close.title(form.title)}>
        <CloseFields form={form} close={close} />
      </Dialog>
    </>
  )
}

interface DialogProps {
  form: FullForm
  close: () => void
}

function PublishFields({ form, close }: DialogProps) {
  const [audience, setAudience] = useState<Audience>(form.settings.audience)
  const [closes, setCloses] = useState('')
  const [limit, setLimit] = useState('')
  const publish = async (event: FormEvent) => {
    event.preventDefault()
    close()
    await write(
      'publish_form',
      {
        form_id: form.id,
        audience,
        closes_at: isoOfLocal(closes) ?? null,
        response_limit: limit === '' ? null : Number(limit),
      },
      { text: t.tasks.changed(form.title, words.publish.done) },
    )
    await invalidateOperations('get_form')
  }
  return (
    <form className={planning.form} onSubmit={(event) => void publish(event)}>
      <label>
        {words.publish.audience}
        <select
          data-autofocus
          value={audience}
          onChange={(event) => setAudience(event.currentTarget.value as Audience)}
        >
          {(['organization', 'public'] as const).map((value) => (
            <option key={value} value={value}>
              {words.audiences[value]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.publish.closes}
        <input
          type="datetime-local"
          value={closes}
          onChange={(event) => setCloses(event.currentTarget.value)}
        />
      </label>
      <label>
        {words.publish.limit}
        <input
          type="number"
          min={1}
          max={1_000_000}
          value={limit}
          onChange={(event) => setLimit(event.currentTarget.value)}
        />
      </label>
      <button type="submit" className={planning.primary}>
        {words.publish.action}
      </button>
    </form>
  )
}

function CloseFields({ form, close }: DialogProps) {
  const [message, setMessage] = useState('')
  const closeForm = async (event: FormEvent) => {
    event.preventDefault()
    close()
    await write(
      'close_form',
      { form_id: form.id, ...(message.trim() !== '' && { message: message.trim() }) },
      { text: t.tasks.changed(form.title, words.close.done) },
    )
    await invalidateOperations('get_form')
  }
  return (
    <form className={planning.form} onSubmit={(event) => void closeForm(event)}>
      <label>
        {words.close.message}
        <input
          data-autofocus
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
          maxLength={2000}
          dir="auto"
        />
      </label>
      <button type="submit" className={planning.primary}>
        {words.close.action}
      </button>
    </form>
  )
}
