import { useState } from 'react'
import { readOperationAgain } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { taskPage as words } from '../../../texts/en/tasks/page.ts'
import { t } from '../../../texts/index.ts'
import { dayOf, dayWords } from '../../../ui/work/days.ts'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import { isSameRule, ruleWords, ruleChoices } from '../../calendar/event/rules.ts'
import styles from './item.module.css'
import type { FullTask } from './useTask.ts'

type Recurrence = NonNullable<FullTask['recurrence']>
type When = Recurrence['create_next']

/** Recurrence of a task in words, and the time at which the next one is created. */
export function Repeats({ task }: { task: FullTask }) {
  const [anchor, setAnchor] = useState<Element>()
  const { recurrence } = task
  const day = task.due_on ?? task.start_on ?? dayOf()
  return (
    <>
      <button
        type="button"
        data-repeats
        className={styles.valueButton}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {recurrence ? (
          <span>
            {ruleWords(recurrence.rrule, day)}
            {recurrence.next_on !== undefined && (
              <span className={styles.note}> · {words.next(dayWords(recurrence.next_on))}</span>
            )}
          </span>
        ) : (
          <span className={styles.none}>{words.never}</span>
        )}
      </button>
      {anchor && (
        <RulePicker task={task} day={day} anchor={anchor} close={() => setAnchor(undefined)} />
      )}
    </>
  )
}

interface RulePickerProps {
  task: FullTask
  day: string
  anchor: Element
  close: () => void
}

type Chosen = { rrule: string | null } | { create_next: When }

function RulePicker({ task, day, anchor, close }: RulePickerProps) {
  const { recurrence } = task
  const choices: Choice<Chosen>[] = [
    { value: { rrule: null }, label: words.never, isChosen: recurrence === undefined },
    ...ruleChoices(day).map(({ rule, label }) => ({
      value: { rrule: rule },
      label,
      isChosen: recurrence !== undefined && isSameRule(recurrence.rrule, rule),
    })),
    ...(recurrence
      ? (Object.keys(words.createNext) as When[]).map((create_next) => ({
          value: { create_next },
          label: words.createNext[create_next],
          isChosen: recurrence.create_next === create_next,
        }))
      : []),
  ]
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={words.repeat}
      choices={(query) => filterChoices(choices, query)}
      choose={(chosen) => void repeat(task, day, chosen)}
    />
  )
}

async function repeat(task: FullTask, day: string, chosen: Chosen): Promise<void> {
  if ('rrule' in chosen && chosen.rrule === null && !task.recurrence) return
  await write(
    'set_task_recurrence',
    { task_id: task.id, ...chosen },
    { text: t.tasks.changed(task.key, doneWords(day, chosen)) },
  )
  await readOperationAgain('get_task')
}

function doneWords(day: string, chosen: Chosen): string {
  if ('create_next' in chosen) return words.createNext[chosen.create_next].toLowerCase()
  return chosen.rrule === null
    ? words.repeatEnded
    : words.repeatChanged(ruleWords(chosen.rrule, day))
}
