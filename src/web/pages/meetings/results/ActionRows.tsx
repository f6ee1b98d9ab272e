import { useState } from 'react'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { resultTexts } from '../../../texts/en/company/meeting-results.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { formatDate } from '../../../ui/times.tsx'
import { AddressFact } from '../../items/Facts.tsx'
import { LinkTarget } from '../../items/Section.tsx'
import planning from '../../planning/planning.module.css'
import { isWithoutTask, type ActionItem } from './data.ts'
import { sourceId } from './proof.ts'
import styles from './results.module.css'
import { TasksForm } from './TasksForm.tsx'

const { actions: words } = resultTexts

/** Action items selected to become tasks, as far as they still can. */
export function usePickedActions(items: readonly ActionItem[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [isMaking, setMaking] = useState(false)
  const picked = items.filter((item) => ids.has(item.id) && isWithoutTask(item))
  const toggle = (id: string) => setIds((previous) => previous.symmetricDifference(new Set([id])))
  useCommands({
    'meeting.tasks': picked.length > 0 ? () => setMaking(true) : undefined,
  })
  return { picked, toggle, isMaking, setMaking }
}

type PickedActions = ReturnType<typeof usePickedActions>

/** Creates tasks from the selected items. */
export function CreateTasksButton({
  actions: { picked, isMaking, setMaking },
}: {
  actions: PickedActions
}) {
  return (
    <>
      <button
        type="button"
        className={planning.button}
        disabled={picked.length === 0}
        onClick={() => runCommand('meeting.tasks')}
      >
        {words.make(picked.length)} <KeyCombo command="meeting.tasks" />
      </button>
      <Dialog isOpen={isMaking} close={() => setMaking(false)} title={words.makeTitle}>
        <TasksForm ids={picked.map(({ id }) => id)} close={() => setMaking(false)} />
      </Dialog>
    </>
  )
}

interface ActionRowsProps {
  items: readonly ActionItem[]
  actions: PickedActions
  /** True if the meeting of each is shown. */
  withMeeting?: boolean
}

/** Action items, each selectable for creating a task. */
export function ActionRows({ items, actions, withMeeting = false }: ActionRowsProps) {
  return (
    <ul className={styles.rows}>
      {items.map((item) => (
        <li key={item.id}>
          <LinkTarget id={item.id}>
            <ActionRow item={item} actions={actions} withMeeting={withMeeting} />
          </LinkTarget>
        </li>
      ))}
    </ul>
  )
}

interface ActionRowProps {
  item: ActionItem
  actions: PickedActions
  withMeeting: boolean
}

function ActionRow({ item, actions: { picked, toggle }, withMeeting }: ActionRowProps) {
  const { id, text, status, owner, due_on: due, task, quote, at_second: atSecond, meeting } = item
  return (
    <div className={styles.action}>
      {isWithoutTask(item) ? (
        <input
          type="checkbox"
          data-row
          aria-label={words.pick(text)}
          checked={picked.includes(item)}
          onChange={() => toggle(id)}
        />
      ) : (
        <span />
      )}
      <span dir="auto">{text}</span>
      <div className={styles.facts}>
        <span>{words.states[status]}</span>
        {owner && <AddressFact person={owner} />}
        {due !== undefined && <span>{words.due(formatDate(due))}</span>}
        {task && <ItemLink item={task} />}
        {withMeeting && <ItemLink item={meeting} />}
        {(quote !== undefined || atSecond !== undefined) && (
          <AppLink to={`/meetings/${meeting.id}#${sourceId(id)}`} size="xs">
            {words.proof}
          </AppLink>
        )}
      </div>
      {quote !== undefined && quote !== text && (
        <div>
          <q className={styles.quote} dir="auto">
            {quote}
          </q>
        </div>
      )}
    </div>
  )
}
