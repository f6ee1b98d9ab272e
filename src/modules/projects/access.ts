import { part, resource } from '../../core/resource.ts'
import type { Id } from '../../core/ids.ts'
import { sightOf, type Seer, type Sight } from '../../core/sight.ts'

const joined = (s: Sight) => s.all.selectFrom('project_members').select('project_members.project_id').where('project_members.person_id', '=', s.actor.id)
const led = (s: Sight) => joined(s).where('project_members.role', '=', 'lead')

/** Projects: members and the lead see them (V-PROJ), members work in them, the lead settles their settings. */
export const project = resource(
  'projects',
  {
    type: 'project',
    prefix: 'prj',
    see: s => s.all.selectFrom('projects').where('projects.id', 'in', joined(s)),
    edit: s => s.all.selectFrom('projects').where('projects.id', 'in', joined(s)).where('projects.status', '<>', 'archived'),
    own: s => s.all.selectFrom('projects').where('projects.id', 'in', led(s)),
    rule: { edit: 'This project is archived, which makes it read-only; its lead can bring it back with archive_project(archived=false).', own: 'Only the lead of the project may do this.' },
    alias: (query, text) => (/^[A-Za-z][A-Za-z0-9]{0,9}$/.test(text) ? query.where('projects.key', '=', text.toUpperCase()) : undefined),
    title: row => row.name,
    key: row => row.key,
    path: row => `projects/${row.key}`,
    project: row => row.id,
    quiet: ['next_task_number', 'status_before_archive'],
  },
  { trash: true },
)

export const projectMember = part('project_members', {
  table: 'projects',
  by: 'project_id',
  unique: ['project_id', 'person_id'],
  field: 'members',
  value: row => ({ person: row.person_id, role: row.role }),
  touch: 'revision',
})

export const status = resource('statuses', {
  type: 'status',
  prefix: 'sta',
  see: s => s.all.selectFrom('statuses').where(project.holds(s, 'statuses.project_id')),
  title: row => row.name,
  partOf: { table: 'projects', by: 'project_id', field: 'statuses', value: row => row.name, touch: 'revision' },
})

export const customField = resource('custom_fields', {
  type: 'custom_field',
  prefix: 'fld',
  see: s => s.all.selectFrom('custom_fields').where(project.holds(s, 'custom_fields.project_id')),
  edit: s => s.all.selectFrom('custom_fields').where(project.holds(s, 'custom_fields.project_id', 'own')),
  rule: { edit: 'Only the lead of the project may change its custom fields.' },
  title: row => row.name,
  project: row => row.project_id,
  path: row => `custom-fields/${row.id}`,
})

export const sprint = resource('sprints', {
  type: 'sprint',
  prefix: 'spr',
  see: s => s.all.selectFrom('sprints').where(project.holds(s, 'sprints.project_id')),
  edit: s => s.all.selectFrom('sprints').where(project.holds(s, 'sprints.project_id', 'edit')),
  rule: { edit: 'The project of this sprint is archived.' },
  title: row => row.name,
  project: row => row.project_id,
  path: row => `sprints/${row.id}`,
  quiet: ['report_json'],
})

export const sprintMove = resource('sprint_moves', {
  type: 'sprint_move',
  prefix: 'spm',
  see: s => s.all.selectFrom('sprint_moves').where(sprint.holds(s, 'sprint_moves.sprint_id')),
  title: row => row.op,
  partOf: { table: 'sprints', by: 'sprint_id', field: 'tasks', value: row => ({ op: row.op, task: row.task_id }), touch: 'time' },
})

export const milestone = resource('milestones', {
  type: 'milestone',
  prefix: 'mil',
  see: s => s.all.selectFrom('milestones').where(project.holds(s, 'milestones.project_id')),
  edit: s => s.all.selectFrom('milestones').where(project.holds(s, 'milestones.project_id', 'edit')),
  rule: { edit: 'The project of this milestone is archived.' },
  title: row => row.name,
  project: row => row.project_id,
  path: row => `milestones/${row.id}`,
})

export const projectUpdate = resource('project_updates', {
  type: 'project_update',
  prefix: 'pup',
  see: s => s.all.selectFrom('project_updates').where(project.holds(s, 'project_updates.project_id')),
  title: row => `Update: ${row.health.replace('_', ' ')}`,
  partOf: { table: 'projects', by: 'project_id', field: 'updates', value: row => row.health, touch: 'time' },
})

/** The next number of a project's tasks; each is given once. Call it inside the write that uses it. */
export async function takeTaskNumber(from: Seer, projectId: Id<'projects'>): Promise<number> {
  const row = await sightOf(from)
    .all.updateTable('projects')
    .set(eb => ({ next_task_number: eb('next_task_number', '+', 1) }))
    .where('id', '=', projectId)
    .returning('next_task_number')
    .executeTakeFirstOrThrow()
  return row.next_task_number - 1
}

/** Whether a person belongs to a project: the rule behind assignees, mentions and hand-overs. */
export async function isMember(from: Seer, projectId: Id<'projects'>, personId: Id<'users'>): Promise<boolean> {
  const row = await sightOf(from).all.selectFrom('project_members').select('person_id').where('project_id', '=', projectId).where('person_id', '=', personId).executeTakeFirst()
  return row !== undefined
}

/** Whether a key is taken in the organization, the projects that the caller cannot see and the trash included. */
export async function isKeyTaken(from: Seer, key: string): Promise<boolean> {
  const s = sightOf(from)
  const row = await s.all.selectFrom('projects').select('id').where('org_id', '=', s.actor.org_id).where('key', '=', key).executeTakeFirst()
  return row !== undefined
}
