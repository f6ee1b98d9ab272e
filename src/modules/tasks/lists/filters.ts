import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import {
  filtersWith,
  resolvedInput,
  since,
  type FilterArguments,
  type FilterValues,
} from '../../../operations/filters.ts'
import { issueText } from '../../../kernel/words.ts'
import { invalidInput } from '../../../operations/invalid-input.ts'
import type { Scoped } from '../../../records/resource.ts'
import type { Viewer } from '../../../records/access-scope.ts'
import { label } from '../../labels/access.ts'
import { person } from '../../directory/access.ts'
import { milestone, project, sprint } from '../../portfolio/access.ts'
import { categoryEnum } from '../../portfolio/shapes.ts'
import { task, taskLabel, taskPerson } from '../access.ts'
import { changedByInput, delegateInput } from './key-filters.ts'
import {
  meetsCustomCondition,
  hasAnyLabel,
  hasWords,
  isAssignedToAny,
  isChangedByKey,
  isInProjects,
} from './access-filters.ts'
import {
  isAssigned,
  isBlocked,
  isBlocking,
  isLabelled,
  equalsWithoutIndex,
  type TaskQueryPlan,
} from './access-lists.ts'
import { customInput, readCustom } from './custom-filters.ts'
import { dateFilters } from './date-filters.ts'
import { requireStatuses, statusesNamed, statusNames } from './status-filters.ts'
import { priorityEnum } from '../shapes.ts'

interface TaskConditions {
  from: Viewer
  now: number
  plan: TaskQueryPlan
  /** Include changes from this moment on. */
  since: number | undefined
}

/**
 * The filters of tasks. Their values are parameters of queries that are compiled once per set of filters (pages.ts).
 */
const allFilters = filtersWith<TaskConditions>()('tasks', {
  project: {
    input: project.see.maybe,
    where: (query, id, { plan }) =>
      plan.drive === 'ids'
        ? query.where(equalsWithoutIndex('tasks.project_id', id))
        : query.where('tasks.project_id', '=', id),
  },
  projects: {
    input: project.see.many.maybe.named('project_ids').describe('any of'),
    where: (query, ids) => query.where(isInProjects(ids)),
  },
  projects_not: {
    input: project.see.many.maybe.named('projects_not').describe('none of'),
    where: (query, ids) => query.where((eb) => eb.not(isInProjects(ids))),
  },
  text: {
    input: z.string().max(200).optional().describe('in title or key'),
    where: (query, text) => (text.trim() === '' ? query : query.where(hasWords(text))),
  },
  assignee: {
    input: person.see.maybe.named('assignee').describe('id, email address or me'),
    where: (query, id, { from, plan }) =>
      plan.fewOfPerson
        ? query.where(
            'tasks.id',
            'in',
            taskPerson
              .of(from, [id], 'person_id')
              .where('task_people.role', '=', 'assignee')
              .select('task_people.task_id'),
          )
        : query.where(isAssigned(id)),
  },
  assignees: {
    input: person.see.many.maybe.named('assignees').describe('any of'),
    where: (query, ids) => query.where(isAssignedToAny(ids)),
  },
  assignees_not: {
    input: person.see.many.maybe.named('assignees_not').describe('none of'),
    where: (query, ids) => query.where((eb) => eb.not(isAssignedToAny(ids))),
  },
  delegated_to: {
    input: delegateInput,
    where: (query, ids) => query.where('tasks.delegate_key_id', 'in', ids),
  },
  label: {
    input: label.see.many.maybe.named('label_id').describe('all of'),
    where: (query, ids, { from, plan }) =>
      ids.reduce(
        (rest, id, i) =>
          i === 0 && plan.fewOfLabel
            ? rest.where(
                'tasks.id',
                'in',
                taskLabel.of(from, [id], 'label_id').select('task_labels.task_id'),
              )
            : rest.where(isLabelled(id)),
        query,
      ),
  },
  labels_any: {
    input: label.see.many.maybe.named('labels_any').describe('any of'),
    where: (query, ids) => query.where(hasAnyLabel(ids)),
  },
  labels_not: {
    input: label.see.many.maybe.named('labels_not').describe('none of'),
    where: (query, ids) => query.where((eb) => eb.not(hasAnyLabel(ids))),
  },
  sprint: {
    input: sprint.see.maybe,
    where: (query, id) => query.where('tasks.sprint_id', '=', id),
  },
  milestone: {
    input: milestone.see.maybe,
    where: (query, id) => query.where('tasks.milestone_id', '=', id),
  },
  parent: {
    input: task.see.maybe,
    where: (query, id) => query.where('tasks.parent_id', '=', id),
  },
  creator: {
    input: person.see.maybe.named('created_by').describe('as assignee'),
    where: (query, id) => query.where('tasks.created_by', '=', id),
  },
  status: {
    input: statusNames(),
    where: (query, names, { from }) =>
      query.where('tasks.status_id', 'in', statusesNamed(from, names)),
  },
  status_not: {
    input: statusNames(),
    where: (query, names, { from }) =>
      query.where('tasks.status_id', 'not in', statusesNamed(from, names)),
  },
  status_category: {
    input: z.array(categoryEnum).max(6).optional(),
    where: (query, categories) => query.where('tasks.status_category', 'in', categories),
  },
  priority: {
    input: z.array(priorityEnum).max(5).optional(),
    where: (query, priorities) => query.where('tasks.priority', 'in', priorities),
  },
  ...dateFilters,
  blocked: {
    input: z.boolean().optional(),
    where: (query, wanted, { from }) =>
      query.where((eb) => (wanted ? isBlocked(from) : eb.not(isBlocked(from)))),
  },
  blocking: {
    input: z.boolean().optional(),
    where: (query, wanted, { from }) =>
      query.where((eb) => (wanted ? isBlocking(from) : eb.not(isBlocking(from)))),
  },
  has_no_assignee: {
    input: z.boolean().optional(),
    where: (query, wanted) => query.where((eb) => (wanted ? eb.not(isAssigned()) : isAssigned())),
  },
  has_no_label: {
    input: z.boolean().optional(),
    where: (query, wanted, { from }) =>
      query.where((eb) => {
        const labelled = hasAnyLabel(label.visibleTo(from).select('labels.id'))
        return wanted ? eb.not(labelled) : labelled
      }),
  },
  has_no_due_date: {
    input: z.boolean().optional(),
    where: (query, wanted) => query.where('tasks.due_at', wanted ? 'is' : 'is not', null),
  },
  custom: {
    input: resolvedInput(customInput, (wanted, ctx) => readCustom(ctx, wanted)),
    where: (query, conditions) =>
      conditions.reduce((rest, condition) => rest.where(meetsCustomCondition(condition)), query),
  },
  changed_by_key: {
    input: changedByInput,
    where: (query, keys, { since: at }) => query.where(isChangedByKey(keys, at)),
  },
  created_after: since('tasks.created_at'),
  completed_after: since('tasks.completed_at'),
})

/** Task filters in the form used by the conditions. */
export type TaskFilter = FilterValues<typeof allFilters>

/** The filters of list_tasks, of its export and of bulk changes. */
export const taskFilters = allFilters.omit('created_after', 'completed_after')

export const countFilters = allFilters.pick(
  'project',
  'assignee',
  'status_category',
  'due_before',
  'due_after',
  'due',
  'due_not',
  'updated_after',
  'label',
  'labels_any',
  'labels_not',
  'has_no_label',
  'created_after',
  'completed_after',
)

export const searchFilters = allFilters.pick('project', 'assignee', 'status_category')

/** Applies filters to tasks. */
export function filterTasks(
  tasks: Scoped<'tasks'>,
  filter: TaskFilter,
  conditions: Omit<TaskConditions, 'since'>,
): Scoped<'tasks'> {
  return allFilters.apply(tasks, filter, { ...conditions, since: filter.updated_after })
}

/**
 * The filters of list_tasks in a call.
 * @throws Refusal invalid_argument for an invalid time, and for a status that the named project does not have
 */
export async function readTaskFilters(
  ctx: ReadContext,
  args: FilterArguments<typeof taskFilters>,
): Promise<TaskFilter> {
  const { project, status: names, status_not: not } = args
  if (project && names?.length) await requireStatuses(ctx, project, 'status', names)
  if (project && not?.length) await requireStatuses(ctx, project, 'status_not', not)
  return taskFilters.read(ctx, args)
}

/**
 * The filters of an object such as `filter` of bulk_update_tasks.
 * @throws Refusal invalid_argument if it is not an object of filters or an id is unknown to the caller, and as for
 * readTaskFilters()
 */
export async function readFilterObject(
  ctx: ReadContext,
  object: Record<string, unknown>,
): Promise<TaskFilter> {
  const parsed = taskFilters.object.safeParse(object, { error: issueText })
  if (!parsed.success)
    throw invalidInput(
      parsed.error.issues.map((issue) => ({ ...issue, path: ['filter', ...issue.path] })),
      {
        hintForUnknown: () => `filter takes ${Object.keys(taskFilters.object.shape).join(', ')}.`,
      },
    )
  return readTaskFilters(ctx, await taskFilters.resolve(ctx, parsed.data, 'filter'))
}
