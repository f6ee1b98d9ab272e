import { useRef, useState, type FormEvent } from 'react'
import { invalidateOperations } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { write } from '../../../store/index.ts'
import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { relativeDay } from '../../../ui/work/days.ts'
import { DayMenu } from '../../../ui/work/DayMenu.tsx'
import planning from '../../planning/planning.module.css'
import type { NamedItem } from './data.ts'
import styles from './contacts.module.css'

const kinds = ['call', 'note', 'meeting', 'other'] as const
type Kind = (typeof kinds)[number]

interface InteractionFormProps {
  contacts: readonly NamedItem[]
  /** Display name of the person or company that the interaction was with. */
  name: string
  dealId?: string
}

/** Logs a call or note in one line, with an optional next step as a reminder. */
export function InteractionForm({ contacts, name, dealId }: InteractionFormProps) {
  const { log } = words
  const field = useRef<HTMLInputElement>(null)
  const [kind, setKind] = useState<Kind>('call')
  const [text, setText] = useState('')
  const [nextStep, setNextStep] = useState('')
  const [due, setDue] = useState<string>()
  useCommands({ 'contact.log': () => field.current?.focus() })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void logInteraction({ contacts, name, dealId, kind, text, nextStep, due })
    setText('')
    setNextStep('')
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
        value={nextStep}
        placeholder={log.next}
        aria-label={log.next}
        onChange={(event) => setNextStep(event.currentTarget.value)}
        maxLength={500}
        dir="auto"
      />
      <DueButton due={due} setDue={setDue} isDisabled={nextStep.trim() === ''} />
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
        {due === undefined ? words.log.due : relativeDay(due)}
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

interface InteractionInput extends InteractionFormProps {
  kind: Kind
  text: string
  nextStep: string
  due: string | undefined
}

async function logInteraction(input: InteractionInput): Promise<void> {
  const { contacts, name, dealId, kind, text, nextStep, due } = input
  const { log } = words
  const hasNext = nextStep.trim() !== ''
  const hasReminder = hasNext && due !== undefined
  await write(
    'log_interaction',
    {
      contact_ids: contacts.map(({ id }) => id),
      kind,
      summary_markdown: text.trim(),
      ...(dealId !== undefined && { deal_id: dealId }),
      ...(hasNext && { next_step: nextStep.trim() }),
      ...(hasReminder && { next_step_due: due }),
    },
    {
      rows: contacts.map(({ id }) => ({
        type: 'contact' as const,
        id,
        set: { last_contacted_at: new Date().toISOString() },
      })),
      noticeSeconds: 8,
      text: hasReminder
        ? log.reminded(log.kinds[kind], name, due)
        : log.logged(log.kinds[kind], name),
    },
  )
  await invalidateOperations('list_interactions')
}
