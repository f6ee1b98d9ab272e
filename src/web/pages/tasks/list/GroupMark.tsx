import { t } from '../../../texts/index.ts'
import { PriorityIcon, StatusIcon } from '../../../ui/work/states.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import type { TaskGroup } from './arrange.ts'

export function GroupMark({ group }: { group: TaskGroup }) {
  if (group.status) return <StatusIcon category={group.status.category} />
  if (group.priority) return <PriorityIcon priority={group.priority} />
  if (group.assignee) return <Face id={group.assignee.id} name={group.assignee.title} size={18} />
  return null
}

export function groupName(group: TaskGroup): string {
  if (group.priority) return t.tasks.priorities[group.priority]
  if (group.due) return t.tasks.dues[group.due]
  return group.name === '' ? t.tasks.nobody : group.name
}
