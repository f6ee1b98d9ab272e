import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { invalidateOperations, useOperation } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { taskPage as texts } from '../../../texts/en/tasks/page.ts'
import { t } from '../../../texts/index.ts'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import { StatusIcon } from '../../../ui/work/states.tsx'
import { isClosed } from '../data/due.ts'
import { useAllRows, type TaskRow } from '../data/rows.ts'
import type { Dependency } from './Dependencies.tsx'
import type { FullTask } from './useTask.ts'

type Kind = Dependency['type']

const kinds = Object.keys(texts.linkTo) as Kind[]
const debounceMs = 200
const maxResults = 20

interface LinkPickerProps {
  task: FullTask
  /** Kind of link; undefined: it is chosen first. */
  kind: Kind | undefined
  chooseKind: (kind: Kind) => void
  anchor: Element
  close: () => void
}

/** Chooses the kind of link, then the other task. */
export function LinkPicker({ kind, chooseKind, ...props }: LinkPickerProps) {
  if (kind !== undefined) return <OtherTask kind={kind} {...props} />
  const choices = kinds.map((value) => ({ value, label: texts.linkTo[value] }))
  return (
    <Picker
      anchor={props.anchor}
      close={props.close}
      label={texts.link}
      choices={(query) => filterChoices(choices, query)}
      choose={chooseKind}
    />
  )
}

interface OtherTaskProps {
  task: FullTask
  kind: Kind
  anchor: Element
  close: () => void
}

/** Finds tasks by words: loaded ones immediately, then results of the server. */
function OtherTask({ task, kind, anchor, close }: OtherTaskProps) {
  const [typedText, setTypedText] = useState('')
  const [query] = useDebouncedValue(typedText.trim(), debounceMs)
  const loadedRows = useAllRows()
  const { data } = useOperation(
    'search_tasks',
    { query, limit: maxResults },
    { enabled: query.length > 1 },
  )
  const linkedIds = new Set([task.id, ...(task.dependencies ?? []).map((other) => other.task.id)])
  const hits = query.length > 1 ? (data?.items ?? []).map((hit) => hit.task) : []
  const projectRows = loadedRows.filter(
    (row) => row.project.id === task.project.id && !isClosed(row.status_category),
  )
  const choices = (text: string): Choice<{ id: string; title: string }>[] => {
    const local = filterChoices(
      projectRows.filter((row) => !linkedIds.has(row.id)).map(choiceOf),
      text,
    )
    const localIds = new Set(local.map((choice) => choice.value.id))
    const others = hits
      .filter((row) => !linkedIds.has(row.id) && !localIds.has(row.id))
      .map(choiceOf)
    return [...local.slice(0, maxResults), ...(text === '' ? [] : others)]
  }
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={texts.linkTo[kind]}
      choices={choices}
      onQuery={setTypedText}
      choose={(other) => void addTaskLink(task, kind, other)}
    />
  )
}

type LinkableTask = Pick<TaskRow, 'id' | 'key' | 'title' | 'status_category'>

const choiceOf = ({ id, key, title, status_category }: LinkableTask) => ({
  value: { id, title },
  label: `${key} ${title}`,
  icon: <StatusIcon category={status_category} />,
})

async function addTaskLink(
  task: FullTask,
  kind: Kind,
  other: { id: string; title: string },
): Promise<void> {
  await write(
    'add_task_dependency',
    { task_id: task.id, other_task_id: other.id, type: kind },
    { text: t.tasks.changed(task.key, texts.linkAdded(texts.linkKinds[kind], other.title)) },
  )
  await invalidateOperations('get_task')
}
