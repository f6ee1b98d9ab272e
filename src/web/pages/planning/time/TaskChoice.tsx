import { useMemo } from 'react'
import { useSignedIn } from '../../../session/session.ts'
import { useSnapshot } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { filterChoices, Picker } from '../../../ui/work/Picker.tsx'
import { useAllRows, type TaskRow } from '../../tasks/data/rows.ts'
import { isOpenCategory } from '../data.ts'
import type { SheetLine } from './sheet.ts'

interface TaskChoiceProps {
  anchor: Element
  close: () => void
  choose: (line: SheetLine) => void
}

const maxChoices = 50

/** Picker for the task of a new line: the person’s tasks first. */
export function TaskChoice({ anchor, close, choose }: TaskChoiceProps) {
  const { person } = useSignedIn()
  useSnapshot('task', { open: true })
  const rows = useAllRows()
  const choices = useMemo(() => {
    const isMine = (row: TaskRow) => row.assignees.some((other) => other.id === person.id)
    return rows
      .filter((row) => isOpenCategory(row.status_category))
      .toSorted(
        (a, b) => Number(isMine(b)) - Number(isMine(a)) || b.updated_at.localeCompare(a.updated_at),
      )
      .map((row) => ({
        value: { task: { id: row.id, title: row.title, key: row.key }, project: row.project },
        label: `${row.key} ${row.title}`,
        hint: row.project.title,
      }))
  }, [rows, person.id])
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={t.planning.time.choose}
      choices={(query) => filterChoices(choices, query).slice(0, maxChoices)}
      choose={choose}
    />
  )
}
