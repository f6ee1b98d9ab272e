import { customText } from '../data/field-text.ts'
import { customName } from '../data/fields.ts'
import { t } from '../../../texts/index.ts'
import { relativeDay } from '../../../ui/work/days.ts'
import type { TaskChange } from './change.ts'

/** Describes a change, to follow the key of the task. */
export function describeTaskChange(change: TaskChange): string {
  const { set } = t.tasks
  switch (change.field) {
    case 'status':
      return set.status(change.name)
    case 'priority':
      return set.priority(t.tasks.priorities[change.priority])
    case 'assignees':
      return set.assignees(change.people.map((person) => person.title))
    case 'delegate':
      return set.delegate(change.key?.title)
    case 'due':
      return set.due(change.day === null ? undefined : relativeDay(change.day))
    case 'start':
      return set.start(change.day === null ? undefined : relativeDay(change.day))
    case 'dates':
      return set.dates(
        change.start && relativeDay(change.start.slice(0, 10)),
        relativeDay(change.due.slice(0, 10)),
      )
    case 'addLabel':
      return set.addLabel(change.label.title)
    case 'removeLabel':
      return set.removeLabel(change.label.title)
    case 'sprint':
      return set.sprint(change.item?.title)
    case 'milestone':
      return set.milestone(change.item?.title)
    case 'estimate':
      return set.estimate(change.minutes ?? undefined)
    case 'points':
      return set.points(change.points ?? undefined)
    case 'title':
      return set.title
    case 'labels':
      return set.labels
    default:
      return set.custom(customName(change.field), customText(change.value))
  }
}
