import { IconFlag, IconMinus, IconRun } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { relativeDay } from '../../../ui/work/days.ts'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import { applyChange } from './changes.ts'
import type { FieldPickerProps } from './open.ts'

/** The current and planned sprints of the tasks' project; tasks of several projects share none. */
export function SprintPicker(props: FieldPickerProps) {
  const projectId = commonProjectId(props)
  const { data } = useOperation(
    'list_sprints',
    { project_id: projectId ?? '', status: ['active', 'planned'], limit: 100 },
    { enabled: projectId !== undefined },
  )
  const sprints = (data?.items ?? []).map(({ id, name, status, ends_on }) => ({
    id,
    title: name,
    hint: status === 'active' ? t.planning.sprint.until(relativeDay(ends_on)) : undefined,
  }))
  return (
    <PlanPicker
      {...props}
      field="sprint"
      items={sprints}
      icon={<IconRun size={15} stroke={1.6} aria-hidden />}
    />
  )
}

/** The open milestones of the tasks' project. */
export function MilestonePicker(props: FieldPickerProps) {
  const projectId = commonProjectId(props)
  const { data } = useOperation(
    'list_milestones',
    { project_id: projectId ?? '', status: ['open', 'missed'], limit: 100 },
    { enabled: projectId !== undefined },
  )
  const milestones = (data?.items ?? []).map(({ id, name, due_on }) => ({
    id,
    title: name,
    hint: due_on === undefined ? undefined : relativeDay(due_on),
  }))
  return (
    <PlanPicker
      {...props}
      field="milestone"
      items={milestones}
      icon={<IconFlag size={15} stroke={1.6} aria-hidden />}
    />
  )
}

function commonProjectId({ rows }: FieldPickerProps): string | undefined {
  const [firstRow] = rows
  return firstRow && rows.every((row) => row.project.id === firstRow.project.id)
    ? firstRow.project.id
    : undefined
}

interface PlanPickerProps extends FieldPickerProps {
  field: 'sprint' | 'milestone'
  items: readonly { id: string; title: string; hint: string | undefined }[]
  icon: ReactNode
}

function PlanPicker({ ids, rows, anchor, close, field, items, icon }: PlanPickerProps) {
  const isValueOfAll = (id: string) => rows.every((row) => row[field]?.id === id)
  const choices: Choice<{ id: string; title: string } | null>[] = [
    ...items.map(({ id, title, hint }) => ({
      value: { id, title },
      label: title,
      icon,
      hint,
      isChosen: isValueOfAll(id),
    })),
    ...(rows.some((row) => row[field])
      ? [
          {
            value: null,
            label: t.planning.none[field],
            icon: <IconMinus size={15} stroke={1.6} aria-hidden />,
          },
        ]
      : []),
  ]
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={t.tasks.pick[field]}
      choices={(query) => filterChoices(choices, query)}
      choose={(item) => void applyChange(ids, { field, item })}
    />
  )
}
