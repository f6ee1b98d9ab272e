import { promptAnswer, mayCall, pasted, promptText, type Prompt } from '../../operations/prompts.ts'
import { localIso } from '../../kernel/time/times.ts'
import { taskSummaryLine, type TaskOutline } from './shapes.ts'

/** Fields of a project response that the prompts use. */
interface ProjectShape {
  key: string
  name: string
  members: { person: { id: string; title: string } }[]
  statuses: { name: string }[]
  custom_fields: {
    name: string
    type: string
    options: { name: string }[]
    required: boolean
    retired: boolean
  }[]
  current_sprint?: { id: string; title: string }
}

export const meetingToTasks: Prompt = {
  name: 'meeting_to_tasks',
  title: 'Turn meeting notes into tasks',
  about: 'Finds action items in pasted notes and creates tasks from them after you approve',
  arguments: [
    { name: 'notes', about: 'the notes or the transcript', required: true, maxLength: 100_000 },
    {
      name: 'project',
      about: 'the key of the project for the tasks, such as ENG; if omitted, the assistant asks',
      completes: 'projects',
    },
  ],
  needs: ['bulk_create_tasks', 'search_tasks', 'get_project', 'list_projects'],
  async messages({ notes = '', project }, ctx) {
    const projectShape =
      project === undefined
        ? undefined
        : await ctx.call<ProjectShape>('get_project', { project_id: project })
    const availableProjects = projectShape
      ? undefined
      : await ctx.call<{ items: ProjectShape[] }>('list_projects', {
          status: ['planned', 'active'],
          limit: 100,
        })
    const instructions = promptText(
      `Turn the meeting notes below into tasks${projectShape ? ` in the project ${projectShape.key} (${JSON.stringify(projectShape.name)})` : ''}. It is ${localIso(ctx.now, ctx.actor.timezone)} in ${ctx.actor.timezone}, the time zone of ${ctx.actor.display_name}.`,
      '',
      '1. List the agreed actions. A wish, question or report is not a task. One task per outcome; the title says what to do.',
      '2. Take assignees and dates only from the notes: "by Friday" is relative to the meeting date, and a first name must match a member of the project. If it is unclear, leave it out and ask.',
      '3. Quote the relevant part of the notes in the description.',
      '4. Search for each task with search_tasks, and point out existing tasks instead of creating duplicates.',
      !projectShape && '5. Ask which project they belong to; available projects are listed below.',
      'Then call bulk_create_tasks with dry_run: true, show the result as a table (title, assignee, due, quote), and ask. Call it again without dry_run, with an idempotency_key, only after a clear yes.',
      mayCall(ctx, 'undo_api_call') &&
        'The result has an undo_call_id; mention that undo_api_call can reverse the whole call.',
    )
    const projectContext = projectShape
      ? promptAnswer('get_project', projectOptionsOf(projectShape))
      : promptAnswer(
          'list_projects',
          availableProjects!.items.map(({ key, name }) => ({ key, name })),
        )
    return [instructions, projectContext, pasted('The pasted notes.', notes)]
  },
}

/** Values that a task of a project may take. */
function projectOptionsOf({
  key,
  name,
  members,
  statuses,
  custom_fields,
  current_sprint,
}: ProjectShape) {
  return {
    key,
    name,
    members: members.map((member) => ({ id: member.person.id, name: member.person.title })),
    statuses: statuses.map((status) => status.name),
    required_fields: custom_fields
      .filter((customField) => customField.required && !customField.retired)
      .map(({ name, type, options }) => ({
        name,
        type,
        options: options.map((option) => option.name),
      })),
    current_sprint,
  }
}

export const backlogGrooming: Prompt = {
  name: 'backlog_grooming',
  title: 'Groom a backlog',
  about:
    'Goes through the oldest open tasks of a project: what to close, merge, split, estimate or do next',
  arguments: [
    {
      name: 'project',
      about: 'the key of the project, such as ENG',
      required: true,
      completes: 'projects',
    },
  ],
  needs: ['list_tasks', 'search_tasks', 'get_task'],
  async messages({ project: project_id = '' }, ctx) {
    const fields = [
      'key',
      'title',
      'status',
      'status_category',
      'priority',
      'assignees',
      'due_on',
      'due_local',
      'points',
      'estimate_minutes',
      'labels',
      'blocked',
      'created_at',
      'updated_at',
      'comment_count',
    ]
    const page = await ctx.call<{
      items: (TaskOutline & { created_at: string; comment_count: number })[]
      has_more: boolean
    }>('list_tasks', {
      project_id,
      status_category: ['triage', 'backlog', 'todo'],
      sort: 'updated_at',
      order: 'asc',
      limit: 50,
      fields,
    })
    const instructions = promptText(
      `Groom the backlog of the project ${project_id.toUpperCase()}: below are the ${page.items.length} open tasks that have not been started and have been inactive the longest${page.has_more ? ' (there are more)' : ''}. It is ${localIso(ctx.now, ctx.actor.timezone)}.`,
      '',
      'Put each into one group, with a brief reason: close (obsolete, or done elsewhere), duplicate (check with search_tasks and give the key of the other), too large (propose the parts), unclear (write the question to its author), estimate (propose one), do next.',
      'Read a task with get_task before you propose to close or split it: the title alone is not enough.',
      mayCall(ctx, 'bulk_update_tasks')
        ? 'Change nothing yet. Show the groups, ask, and then work group by group: bulk_update_tasks with dry_run first, create_subtasks for tasks to split, add_task_comment for questions.'
        : 'You cannot change anything with this key: only make proposals.',
    )
    return [
      instructions,
      promptAnswer(
        'list_tasks',
        page.items.map((item) => ({
          ...taskSummaryLine(item),
          created_at: item.created_at,
          comment_count: item.comment_count,
        })),
      ),
    ]
  },
}
