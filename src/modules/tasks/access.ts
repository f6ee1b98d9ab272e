import { part, resource, type Row } from '../../core/resource.ts'
import type { Sight } from '../../core/sight.ts'
import { project } from '../projects/access.ts'

/** Tasks: whoever sees the project sees its tasks (V-PROJ); members change them while it is not archived. */
export const task = resource(
  'tasks',
  {
    type: 'task',
    prefix: 'tsk',
    see: s => s.all.selectFrom('tasks').where(project.lists(s, 'tasks.project_id')),
    edit: s => s.all.selectFrom('tasks').where(project.lists(s, 'tasks.project_id', 'edit')),
    own: s => s.all.selectFrom('tasks').where(project.lists(s, 'tasks.project_id', 'edit')),
    rule: { edit: 'The project of this task is archived.', own: 'The project of this task is archived.' },
    alias: (query, text, s) => (/^[A-Za-z][A-Za-z0-9]{0,9}-\d{1,9}$/.test(text) ? query.where('tasks.key', '=', text.toUpperCase()).where('tasks.org_id', '=', s.actor.org_id) : undefined),
    title: row => row.title,
    key: row => row.key,
    path: row => `tasks/${row.key}`,
    project: row => row.project_id,
    quiet: ['position', 'priority_rank', 'status_category', 'overdue_told_at', 'recurrence_next_at'],
    search: async row => ({
      title: row.title,
      body: row.description_markdown ?? '',
      container: row.project_id,
      part: 'item',
      item_id: row.id,
      item_type: 'task',
      at: row.updated_at,
    }),
  },
  { trash: true },
)

export const taskPerson = part('task_people', {
  table: 'tasks',
  by: 'task_id',
  unique: ['task_id', 'role', 'person_id'],
  field: row => (row.role === 'assignee' ? 'assignees' : 'watchers'),
  value: row => row.person_id,
  touch: 'revision',
})

export const taskLabel = part('task_labels', {
  table: 'tasks',
  by: 'task_id',
  unique: ['task_id', 'label_id'],
  field: 'labels',
  value: row => row.label_id,
  touch: 'revision',
})

export const taskDependency = part('task_dependencies', {
  table: 'tasks',
  by: 'task_id',
  unique: ['task_id', 'other_id', 'type'],
  field: row => row.type,
  value: row => row.other_id,
  touch: 'revision',
})

/** Comments: seen with their task; changed and deleted by their author alone. */
export const comment = resource('task_comments', {
  type: 'comment',
  prefix: 'cmt',
  see: s => s.all.selectFrom('task_comments').where(task.holds(s, 'task_comments.task_id')),
  edit: s => s.all.selectFrom('task_comments').where(task.holds(s, 'task_comments.task_id', 'edit')).where('task_comments.created_by', '=', s.actor.id),
  own: s => s.all.selectFrom('task_comments').where(task.holds(s, 'task_comments.task_id', 'edit')).where('task_comments.created_by', '=', s.actor.id),
  rule: { edit: 'Only its author may edit a comment.', own: 'Only its author may delete a comment.' },
  title: row => row.body_markdown.slice(0, 80),
  partOf: { table: 'tasks', by: 'task_id', field: 'comments', value: row => row.body_markdown.slice(0, 200), touch: 'time' },
  search: searchComment,
})

async function searchComment(row: Row<'task_comments'>, s: Sight) {
  const on = await s.all.selectFrom('tasks').select(['title', 'project_id', 'deleted_at']).where('id', '=', row.task_id).executeTakeFirst()
  if (!on || on.deleted_at !== null) return undefined
  return { title: '', body: row.body_markdown, container: on.project_id, part: 'comment' as const, item_id: row.task_id, item_type: 'task', at: row.created_at }
}

export const attachment = resource('task_attachments', {
  type: 'attachment',
  prefix: 'att',
  see: s => s.all.selectFrom('task_attachments').where(task.holds(s, 'task_attachments.task_id')),
  edit: s => s.all.selectFrom('task_attachments').where(task.holds(s, 'task_attachments.task_id', 'edit')),
  rule: { edit: 'The project of this task is archived.' },
  title: row => row.name,
  partOf: { table: 'tasks', by: 'task_id', field: 'attachments', value: row => row.name, touch: 'revision' },
})

/** Small files that came with attachments: seen with the task that holds them, and by whoever put them there. */
export const file = resource(
  'files',
  {
    type: 'file',
    prefix: 'fil',
    see: s =>
      s.all.selectFrom('files').where(eb =>
        eb.or([
          eb.and([eb('files.created_by', '=', s.actor.id), eb('files.org_id', '=', s.actor.org_id)]),
          eb('files.id', 'in', attachment.seen(s).where('task_attachments.file_id', 'is not', null).select(inner => inner.ref('task_attachments.file_id').$notNull().as('file_id'))),
        ]),
      ),
    title: row => row.name,
    path: row => `files/${row.id}`,
    quiet: ['content_base64'],
  },
  { trash: true },
)

/** Templates: of a project for its members, of the organization for everybody. */
export const taskTemplate = resource('task_templates', {
  type: 'task_template',
  prefix: 'ttp',
  see: s =>
    s.all
      .selectFrom('task_templates')
      .where('task_templates.org_id', '=', s.actor.org_id)
      .where(eb => eb.or([eb('task_templates.project_id', 'is', null), project.holds(s, 'task_templates.project_id')])),
  edit: s => s.all.selectFrom('task_templates').where('task_templates.created_by', '=', s.actor.id),
  title: row => row.name,
  project: row => row.project_id,
  path: row => `task-templates/${row.id}`,
  quiet: ['outline_json', 'use_count'],
})
