import { useRef, useState, type FormEvent } from 'react'
import { readOperationAgain } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { write } from '../../../store/index.ts'
import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { dayWords } from '../../../ui/work/days.ts'
import { DayMenu } from '../../../ui/work/DayMenu.tsx'
import planning from '../../planning/planning.module.css'
import type { Named } from './data.ts'
import styles from './contacts.module.css'

const kinds = ['call', 'note', 'meeting', 'other'] as const
type Kind = (typeof kinds)[number]

interface LogLineProps {
  contacts: readonly Named[]
  /** Name of the person it was with, as displayed. */
  name: string
  dealId?: string
}

/** Logs a call or note in one line, with an optional next step as a reminder. */
export function LogLine({ contacts, name, dealId }: LogLineProps) {
  const { log } = words
  const field = useRef<HTMLInputElement>(null)
  const [kind, setKind] = useState<Kind>('call')
  const [text, setText] = useState('')
  const [next, setNext] = useState('')
  const [due, setDue] = useState<string>()
  useCommands({ 'contact.log': () => field.current?.focus() })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void logInteraction({ contacts, name, dealId, kind, text, next, due })
    setText('')
    setNext('')
    setDue(undefined)
    field.current?.focus()
  }
  return (
    <form className={styles.log} onSubmit={submit} aria-label={log.title}>
      <select
        value={kind}
        aria-label={log.kind}
        onChange={(event) => setKind(event.currentTarget.value as Kind)}
      >
        {kinds.map((value) => (
          <option key={value} value={value}>
            {log.kinds[value]}
          </option>
        ))}
      </select>
      <input
        ref={field}
        className={styles.saidField}
        value={text}
        placeholder={log.text}
        aria-label={log.text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={50_000}
        dir="auto"
      />
      <input
        value={next}
        placeholder={log.next}
        aria-label={log.next}
        onChange={(event) => setNext(event.currentTarget.value)}
        maxLength={500}
        dir="auto"
      />
      <DueButton due={due} setDue={setDue} isDisabled={next.trim() === ''} />
      <button type="submit" className={planning.button} disabled={text.trim() === ''}>
        {log.save} <KeyCombo command="contact.log" />
      </button>
    </form>
  )
}

interface DueButtonProps {
  due: string | undefined
  setDue: (day: string | undefined) => void
  isDisabled: boolean
}

/** The day of the reminder. */
function DueButton({ due, setDue, isDisabled }: DueButtonProps) {
  const [anchor, setAnchor] = useState<Element>()
  return (
    <>
      <button
        type="button"
        className={planning.button}
        data-plain
        aria-haspopup="dialog"
        disabled={isDisabled}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {due === undefined ? words.log.due : dayWords(due)}
      </button>
      {anchor && (
        <DayMenu
          anchor={anchor}
          close={() => setAnchor(undefined)}
          label={words.log.due}
          days={[due]}
          choose={(day) => setDue(day ?? undefined)}
        />
      )}
    </>
  )
}

interface Logged extends LogLineProps {
  kind: Kind
  text: string
  next: string
  due: string | undefined
}

async function logInteraction(logged: Logged): Promise<void> {
  const { contacts, name, dealId, kind, text, next, due } = logged
  const { log } = words
  const hasNext = next.trim() !== ''
  const isReminded = hasNext && due !== undefined
  await write(
    'log_interaction',
    {
      contact_ids: contacts.map(({ id }) => id),
      kind,
      summary_markdown: text.trim(),
      ...(dealId !== undefined && { deal_id: dealId }),
      ...(hasNext && { next_step: next.trim() }),
      ...(isReminded && { next_step_due: due }),
    },
    {
      rows: contacts.map(({ id }) => ({
        type: 'contact' as const,
        id,
        set: { last_contacted_at: new Date().toISOString() },
      })),
      noticeSeconds: 8,
      text: isReminded
        ? log.reminded(log.kinds[kind], name, due)
        : log.logged(log.kinds[kind], name),
    },
  )
  await readOperationAgain('list_interactions')
}
