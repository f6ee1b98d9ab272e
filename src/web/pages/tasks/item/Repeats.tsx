import { useState } from 'react'
import { invalidateOperations } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { taskPage as texts } from '../../../texts/en/tasks/page.ts'
import { t } from '../../../texts/index.ts'
import { dayOf, relativeDay } from '../../../ui/work/days.ts'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import { isSameRule, describeRule, ruleChoices } from '../../calendar/event/rules.ts'
import styles from './item.module.css'
import type { FullTask } from './useTask.ts'

type Recurrence = NonNullable<FullTask['recurrence']>
type CreationTime = Recurrence['create_next']

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
            {describeRule(recurrence.rrule, day)}
            {recurrence.next_on !== undefined && (
              <span className={styles.note}> · {texts.next(relativeDay(recurrence.next_on))}</span>
            )}
          </span>
        ) : (
          <span className={styles.none}>{texts.never}</span>
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

type RecurrenceChoice = { rrule: string | null } | { create_next: CreationTime }

function RulePicker({ task, day, anchor, close }: RulePickerProps) {
  const { recurrence } = task
  const choices: Choice<RecurrenceChoice>[] = [
    { value: { rrule: null }, label: texts.never, isChosen: recurrence === undefined },
    ...ruleChoices(day).map(({ rule, label }) => ({
      value: { rrule: rule },
      label,
      isChosen: recurrence !== undefined && isSameRule(recurrence.rrule, rule),
    })),
    ...(recurrence
      ? (Object.keys(texts.createNext) as CreationTime[]).map((create_next) => ({
          value: { create_next },
          label: texts.createNext[create_next],
          isChosen: recurrence.create_next === create_next,
        }))
      : []),
  ]
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={texts.repeat}
      choices={(query) => filterChoices(choices, query)}
      choose={(choice) => void setRecurrence(task, day, choice)}
    />
  )
}

async function setRecurrence(task: FullTask, day: string, choice: RecurrenceChoice): Promise<void> {
  if ('rrule' in choice && choice.rrule === null && !task.recurrence) return
  await write(
    'set_task_recurrence',
    { task_id: task.id, ...choice },
    { text: t.tasks.changed(task.key, changeText(day, choice)) },
  )
  await invalidateOperations('get_task')
}

function changeText(day: string, choice: RecurrenceChoice): string {
  if ('create_next' in choice) return texts.createNext[choice.create_next].toLowerCase()
  return choice.rrule === null
    ? texts.repeatEnded
    : texts.repeatChanged(describeRule(choice.rrule, day))
}
