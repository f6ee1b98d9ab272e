import { useRef, type FormEvent, type ReactNode } from 'react'
import { useCommands } from '../../keys/commands.ts'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import type { CommandId } from '../../keys/keymap.ts'
import { deleteDraft, useDraft } from '../../ui/work/kept-drafts.ts'
import planning from '../planning/planning.module.css'
import styles from './note-form.module.css'

interface NoteFormProps {
  /** Key under which this browser stores the text until the server has it. */
  draft: string
  /** Focuses the field. */
  command: CommandId
  label: string
  placeholder: string
  action: string
  /** Returns whether the server accepted it. */
  send: (note: string) => Promise<boolean>
  /** Further content of the note. */
  children?: ReactNode
}

/** A form for a note below an item; the text is kept until it is saved. */
export function NoteForm(props: NoteFormProps) {
  const { draft, command, label, placeholder, action, send, children } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useDraft(draft, '')
  useCommands({ [command]: () => field.current?.focus() })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const note = text.trim()
    if (note === '') return
    setText('')
    if (await send(note)) deleteDraft(draft)
    else setText(note)
  }
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <textarea
        ref={field}
        value={text}
        placeholder={placeholder}
        aria-label={label}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event)
          else if (event.key === 'Escape') event.currentTarget.blur()
        }}
        rows={2}
        maxLength={50_000}
        dir="auto"
      />
      <div className={styles.bar}>
        {children}
        <button type="submit" className={planning.button} disabled={text.trim() === ''}>
          {action} <KeyCombo command="text.send" />
        </button>
      </div>
    </form>
  )
}
