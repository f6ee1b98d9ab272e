import { pulseTexts } from '../../../texts/en/company/pulses.ts'
import { moveItem } from '../../../ui/work/lines.ts'
import incidents from '../../company/incidents/incidents.module.css'
import { OrderButtons } from '../../company/OrderButtons.tsx'
import services from '../../company/services/services.module.css'
import planning from '../../planning/planning.module.css'
import styles from './pulses.module.css'
import { newQuestion, type QuestionDraft, type QuestionType } from './questions.ts'

const { form: words, types } = pulseTexts
const maxQuestions = 20
const kinds = Object.keys(types) as QuestionType[]

interface QuestionFieldsProps {
  questions: readonly QuestionDraft[]
  set: (questions: readonly QuestionDraft[]) => void
}

export function QuestionFields({ questions, set }: QuestionFieldsProps) {
  return (
    <fieldset className={services.steps}>
      <legend>{words.questions}</legend>
      {questions.map((question, n) => (
        <QuestionField
          key={question.key}
          question={question}
          number={n + 1}
          count={questions.length}
          change={(patch) =>
            set(
              questions.map((other) =>
                other.key === question.key ? { ...other, ...patch } : other,
              ),
            )
          }
          move={(offset) => set(moveItem(questions, n, n + offset))}
          remove={() => set(questions.filter((other) => other.key !== question.key))}
        />
      ))}
      <button
        type="button"
        className={planning.button}
        disabled={questions.length >= maxQuestions}
        onClick={() => set([...questions, newQuestion()])}
      >
        {words.add}
      </button>
    </fieldset>
  )
}

interface QuestionFieldProps {
  question: QuestionDraft
  number: number
  count: number
  change: (patch: Partial<QuestionDraft>) => void
  move: (offset: number) => void
  remove: () => void
}

function QuestionField(props: QuestionFieldProps) {
  const { question, number, count, change, move, remove } = props
  const { text, type, options, isBlocker } = question
  return (
    <div className={services.step}>
      <div className={services.stepLine}>
        <input
          value={text}
          aria-label={words.question(number)}
          placeholder={words.question(number)}
          onChange={(event) => change({ text: event.currentTarget.value })}
          required
          maxLength={1000}
          dir="auto"
        />
        <select
          value={type}
          aria-label={words.type(number)}
          onChange={(event) => change({ type: event.currentTarget.value as QuestionType })}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {types[kind]}
            </option>
          ))}
        </select>
        <OrderButtons
          number={number}
          count={count}
          labels={{
            earlier: words.earlier(number),
            later: words.later(number),
            remove: words.remove(number),
          }}
          move={move}
          remove={remove}
        />
      </div>
      {type === 'choice' && (
        <textarea
          value={options}
          aria-label={words.options(number)}
          placeholder={words.options(number)}
          onChange={(event) => change({ options: event.currentTarget.value })}
          rows={3}
          dir="auto"
        />
      )}
      {type === 'scale' && <ScaleFields {...props} />}
      {(type === 'text' || type === 'yes_no') && (
        <label className={incidents.tick}>
          <input
            type="checkbox"
            checked={isBlocker}
            onChange={(event) => change({ isBlocker: event.currentTarget.checked })}
          />
          {words.blocker}
        </label>
      )}
    </div>
  )
}

function ScaleFields({ question, number, change }: QuestionFieldProps) {
  return (
    <div className={styles.scale}>
      {(['min', 'max'] as const).map((bound) => (
        <input
          key={bound}
          type="number"
          min={bound === 'min' ? 0 : 1}
          max={10}
          value={question[bound]}
          aria-label={words[bound](number)}
          onChange={(event) => change({ [bound]: event.currentTarget.value })}
          required
        />
      ))}
    </div>
  )
}
