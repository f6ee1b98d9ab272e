import { hitFacts } from '../../operations/search/hit-facts.ts'
import { searchable } from '../../operations/search/searchable.ts'
import { person } from '../directory/access.ts'
import { project, visibleProjectIds } from '../portfolio/access.ts'
import { task, taskPerson } from './access.ts'

/** Tasks belong to their projects; their people are the assignees and the author. */
export const searchableTasks = searchable({
  kind: 'task',
  source: 'tasks',
  resource: task,
  containers: visibleProjectIds,
  narrow(ctx, tasks, { project, person: who }) {
    const inProject = project ? tasks.where('tasks.project_id', '=', project.id) : tasks
    if (!who) return inProject
    const involved = taskPerson.of(ctx, [who.id], 'person_id').select('task_people.task_id')
    return inProject.where((eb) =>
      eb.or([eb('tasks.created_by', '=', who.id), eb('tasks.id', 'in', involved)]),
    )
  },
  async work(ctx, rows) {
    const assignments = await taskPerson
      .of(
        ctx,
        rows.map((row) => row.id),
      )
      .where('task_people.role', '=', 'assignee')
      .select(['task_people.task_id', 'task_people.person_id'])
      .execute()
    return new Map(
      rows.map((row) => {
        const isDone = row.status_category === 'done'
        const assignees = assignments
          .filter((item) => item.task_id === row.id)
          .map((item) => ({
            person: item.person_id,
            did: isDone ? 'completed this task' : 'is assigned to this task',
            weight: isDone ? 1 : 0.5,
          }))
        return [
          row.id,
          [...assignees, { person: row.created_by, did: 'created this task', weight: 0.3 }],
        ]
      }),
    )
  },
  async facts(ctx, rows) {
    const assignments = await taskPerson
      .of(
        ctx,
        rows.map((row) => row.id),
      )
      .where('task_people.role', '=', 'assignee')
      .select(['task_people.task_id', 'task_people.person_id'])
      .execute()
    return hitFacts(
      ctx,
      { person, project },
      rows.map((row) => ({
        id: row.id,
        people: [
          ...assignments.filter((item) => item.task_id === row.id).map((item) => item.person_id),
          row.created_by,
        ],
        project: row.project_id,
        at: row.updated_at,
        trust: row.trust === 'external' ? ('external' as const) : ('internal' as const),
      })),
    )
  },
})
