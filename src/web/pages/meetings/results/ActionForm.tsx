import { useId, useState, type FormEvent } from 'react'
import { resultTexts } from '../../../texts/en/company/meeting-results.ts'
import planning from '../../planning/planning.module.css'
import { participantLine, type FullMeeting } from '../data.ts'
import { addActionItem } from './data.ts'
import { ProofQuote } from './ProofQuote.tsx'
import type { TranscriptLine } from './proof.ts'

const { form: words } = resultTexts.actions
const maxText = 500
const maxQuote = 5000

interface ActionFormProps {
  meeting: FullMeeting
  /** The transcript line that it comes from. */
  line: TranscriptLine | undefined
  close: () => void
}

/** Adds an action item, with its source line. */
export function ActionForm({ meeting, line, close }: ActionFormProps) {
  const [text, setText] = useState(line?.text.slice(0, maxText) ?? '')
  const [owner, setOwner] = useState('')
  const [due, setDue] = useState('')
  const listId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    close()
    void addActionItem(meeting, {
      text: text.trim(),
      ...(owner.trim() !== '' && { owner: owner.trim() }),
      ...(due !== '' && { due_on: due }),
      ...(line && { quote: line.text.slice(0, maxQuote) }),
      ...(line?.at_second !== undefined && { at_second: line.at_second }),
    })
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <label>
        {words.text}
        <input
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          required
          maxLength={maxText}
          autoComplete="off"
          dir="auto"
        />
      </label>
      {line && <ProofQuote line={line} />}
      <div className={planning.pair}>
        <label>
          {words.owner}
          <input
            value={owner}
            onChange={(event) => setOwner(event.currentTarget.value)}
            list={listId}
            placeholder={words.ownerHint}
            autoComplete="off"
            dir="auto"
          />
        </label>
        <label>
          {words.due}
          <input type="date" value={due} onChange={(event) => setDue(event.currentTarget.value)} />
        </label>
      </div>
      <datalist id={listId}>
        {meeting.participants.map((participant, n) => (
          <option key={n} value={participantLine(participant)} label={participant.name} />
        ))}
      </datalist>
      <button type="submit" className={planning.primary} disabled={text.trim() === ''}>
        {words.action}
      </button>
    </form>
  )
}
