import { useId, useRef, useState, type FormEvent } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { useMe } from '../../../session/session.ts'
import { pulseTexts } from '../../../texts/en/company/pulses.ts'
import { deleteDraft, useDraft } from '../../../ui/work/kept-drafts.ts'
import planning from '../../planning/planning.module.css'
import { rememberAnswered } from './answered-here.ts'
import { answerChoices, hasAnswers, formAnswers, parseAnswers } from './answers.ts'
import { submitAnswers, type PulseData, type PulseQuestionData } from './data.ts'
import styles from './pulses.module.css'

const { round: words } = pulseTexts

interface AnswerFormProps {
  pulse: PulseData
  /** The day of the round. */
  roundDay: string
  /** The reader's earlier answers. */
  ownAnswers: Readonly<Record<string, string | number | boolean>>
}

/** Answers a round; the text is stored in this browser until it is sent. */
export function AnswerForm({ pulse, roundDay, ownAnswers }: AnswerFormProps) {
  const me = useMe()
  const form = useRef<HTMLFormElement>(null)
  const draftKey = `pulse ${pulse.id} ${roundDay}`
  const [storedText, setStoredText] = useDraft(draftKey, JSON.stringify(formAnswers(ownAnswers)))
  const [isSent, setSent] = useState(false)
  const values = JSON.parse(storedText) as Record<string, string>
  const hasAnswered = Object.keys(ownAnswers).length > 0
  const set = (id: string, value: string) =>
    setStoredText(JSON.stringify({ ...values, [id]: value }))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await submitAnswers(pulse, roundDay, parseAnswers(pulse.questions, values)))) return
    deleteDraft(draftKey)
    if (pulse.anonymous) rememberAnswered(me.id, pulse.id, roundDay)
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
          value={values[question.id] ?? ''}
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
          disabled={!hasAnswers(pulse.questions, values)}
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
