import { serviceTexts } from '../../../texts/en/company/services.ts'
import { moveItem } from '../../../ui/work/lines.ts'
import planning from '../../planning/planning.module.css'
import { OrderButtons } from '../OrderButtons.tsx'
import type { Runbook } from './RunbookForm.tsx'
import styles from './services.module.css'

const { runbook: words } = serviceTexts

/** A step being edited. */
export interface StepDraft {
  /** React key for the list. */
  key: string
  title: string
  text: string
  minutes: string
}

let keyCount = 0

export const newStep = (step?: Runbook['steps'][number]): StepDraft => ({
  key: String(keyCount++),
  title: step?.title ?? '',
  text: step?.body_markdown ?? '',
  minutes: step?.minutes === undefined ? '' : String(step.minutes),
})

interface StepFieldsProps {
  steps: readonly StepDraft[]
  set: (steps: readonly StepDraft[]) => void
}

export function StepFields({ steps, set }: StepFieldsProps) {
  return (
    <fieldset className={styles.steps}>
      <legend>{words.steps}</legend>
      {steps.map((step, n) => (
        <StepLine
          key={step.key}
          step={step}
          number={n + 1}
          count={steps.length}
          change={(next) => set(steps.map((other) => (other.key === step.key ? next : other)))}
          move={(offset) => set(moveItem(steps, n, n + offset))}
          remove={() => set(steps.filter((other) => other.key !== step.key))}
        />
      ))}
      <button
        type="button"
        className={planning.button}
        disabled={steps.length >= 50}
        onClick={() => set([...steps, newStep()])}
      >
        {words.addStep}
      </button>
    </fieldset>
  )
}

interface StepLineProps {
  step: StepDraft
  number: number
  count: number
  change: (step: StepDraft) => void
  move: (offset: number) => void
  remove: () => void
}

function StepLine({ step, number, count, change, move, remove }: StepLineProps) {
  return (
    <div className={styles.step}>
      <div className={styles.stepLine}>
        <input
          value={step.title}
          aria-label={words.step(number)}
          placeholder={words.step(number)}
          onChange={(event) => change({ ...step, title: event.currentTarget.value })}
          required
          maxLength={500}
          dir="auto"
        />
        <input
          type="number"
          min={1}
          max={10_000}
          value={step.minutes}
          aria-label={words.minutes(number)}
          placeholder="min"
          onChange={(event) => change({ ...step, minutes: event.currentTarget.value })}
        />
        <OrderButtons
          number={number}
          count={count}
          labels={{
            earlier: words.earlier(number),
            later: words.later(number),
            remove: words.removeStep(number),
          }}
          move={move}
          remove={remove}
        />
      </div>
      <textarea
        value={step.text}
        aria-label={words.stepText(number)}
        placeholder={words.stepText(number)}
        onChange={(event) => change({ ...step, text: event.currentTarget.value })}
        rows={1}
        maxLength={20_000}
        dir="auto"
      />
    </div>
  )
}
