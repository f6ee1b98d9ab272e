import { useId, useRef, useState, type FormEvent } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { useMe } from '../../../session/session.ts'
import { pulseTexts } from '../../../texts/en/company/pulses.ts'
import { forgetDraft, useDraft } from '../../../ui/work/kept-drafts.ts'
import planning from '../../planning/planning.module.css'
import { rememberAnswered } from './answered-here.ts'
import { answerChoices, hasAnswers, formAnswers, parseAnswers } from './answers.ts'
import { submitAnswers, type PulseData, type PulseQuestionData } from './data.ts'
import styles from './pulses.module.css'

const { round: words } = pulseTexts

interface AnswerFormProps {
  pulse: PulseData
  /** The day of the round. */
  on: string
  /** Own earlier answers. */
  mine: Readonly<Record<string, string | number | boolean>>
}

/** Answers a round; the text is stored in this browser until it is sent. */
export function AnswerForm({ pulse, on, mine }: AnswerFormProps) {
  const me = useMe()
  const form = useRef<HTMLFormElement>(null)
  const draftKey = `pulse ${pulse.id} ${on}`
  const [kept, setKept] = useDraft(draftKey, JSON.stringify(formAnswers(mine)))
  const [isSent, setSent] = useState(false)
  const written = JSON.parse(kept) as Record<string, string>
  const hasAnswered = Object.keys(mine).length > 0
  const set = (id: string, value: string) => setKept(JSON.stringify({ ...written, [id]: value }))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await submitAnswers(pulse, on, parseAnswers(pulse.questions, written)))) return
    forgetDraft(draftKey)
    if (pulse.anonymous) rememberAnswered(me.id, pulse.id, on)
    setSent(true)
  }
  useCommands({
    'pulse.answer': () =>
      form.current?.querySelector<HTMLElement>('textarea, input:checked, input')?.focus(),
  })
  return (
    <form
      ref={form}
      className={styles.questions}
      aria-label={words.yours}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event)
      }}
    >
      {pulse.questions.map((question) => (
        <Question
          key={question.id}
          question={question}
          value={written[question.id] ?? ''}
          set={(value) => set(question.id, value)}
        />
      ))}
      <span className={planning.note}>
        {words.hint} {pulse.anonymous && words.anonymousHint}
      </span>
      <div className={styles.line}>
        <button
          type="submit"
          className={`${planning.primary} ${styles.send}`}
          disabled={!hasAnswers(pulse.questions, written)}
        >
          {hasAnswered ? words.change : words.send} <KeyCombo command="text.send" />
        </button>
        <span role="status">{isSent && pulse.anonymous && words.sentHere}</span>
      </div>
    </form>
  )
}

interface QuestionProps {
  question: PulseQuestionData
  value: string
  set: (value: string) => void
}

function Question({ question, value, set }: QuestionProps) {
  if (question.type !== 'text')
    return <ChoiceQuestion question={question} value={value} set={set} />
  return (
    <label className={styles.question}>
      <span dir="auto">{question.text}</span>
      <textarea
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
        rows={2}
        maxLength={4000}
        dir="auto"
      />
    </label>
  )
}

function ChoiceQuestion({ question, value, set }: QuestionProps) {
  const name = useId()
  return (
    <fieldset
      className={styles.question}
      onKeyDown={(event) => {
        if (event.key !== 'Backspace' && event.key !== 'Delete') return
        event.preventDefault()
        set('')
      }}
    >
      <legend dir="auto">{question.text}</legend>
      <div className={styles.choices}>
        {answerChoices(question).map((choice) => (
          <label key={choice.value}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={value === choice.value}
              onChange={() => set(choice.value)}
            />
            <span dir="auto">{choice.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
