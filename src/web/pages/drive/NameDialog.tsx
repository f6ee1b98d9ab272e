import { useState, type FormEvent } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import planning from '../planning/planning.module.css'

interface NameDialogProps {
  title: string
  label: string
  action: string
  name: string
  save: (name: string) => void
  close: () => void
}

/** Asks for a name. */
export function NameDialog({ title, label, action, name, save, close }: NameDialogProps) {
  const [text, setText] = useState(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    close()
    if (text.trim() !== name) save(text.trim())
  }
  return (
    <Dialog isOpen close={close} title={title}>
      <form className={planning.form} onSubmit={submit}>
        <label>
          {label}
          <input
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            maxLength={1000}
            autoComplete="off"
            dir="auto"
            required
          />
        </label>
        <button type="submit" className={planning.primary} disabled={text.trim() === ''}>
          {action}
        </button>
      </form>
    </Dialog>
  )
}
