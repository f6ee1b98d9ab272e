import {
  promptAnswer,
  mayCall,
  promptText,
  type Prompt,
  type PromptArgument,
} from '../../operations/prompts.ts'
import { numbered } from '../../operations/skills.ts'
import { addDays, dayAt, parseInstant, iso } from '../../kernel/time/times.ts'
import { taskSummaryLine, type TaskOutline } from '../tasks/shapes.ts'
import type { ProjectShape } from './shapes.ts'
import type { SprintShape } from './sprints/shapes.ts'
import type { SprintReportShape } from './sprints/reports.ts'
import type { ProjectSummaryShape } from './projects/summaries.ts'
import { reporting } from './skills.ts'

const project: PromptArgument = {
  name: 'project',
  about: 'the key of the project, such as ENG',
  required: true,
  completes: 'projects',
}

/** Essential fields of tasks, which prompts show in one line each. */
const taskFields = [
  'key',
  'title',
  'status',
  'status_category',
  'priority',
  'assignees',
  'due_on',
  'due_local',
  'completed_at',
  'points',
  'estimate_minutes',
  'blocked',
  'updated_at',
] as const

interface Page<T> {
  items: T[]
  has_more: boolean
}

export const weeklyProjectReport: Prompt = {
  name: 'weekly_project_report',
  title: 'Weekly project report',
  about:
    'A status report of the last seven days of a project: completed work, delays, upcoming work, and health',
  arguments: [project],
  needs: ['get_project_summary', 'list_tasks'],
  skill: reporting,
  async messages({ project: project_id }, ctx) {
    const zone = ctx.actor.timezone
    const to = dayAt(ctx.now, zone)
    const from = addDays(to, -6)
    const start = iso(parseInstant(from, zone, 'start'))
    const summary = await ctx.call<ProjectSummaryShape>('get_project_summary', {
      project_id,
      from,
      to,
    })
    const closed = await ctx.call<Page<TaskOutline>>('list_tasks', {
      project_id,
      status_category: ['done'],
      updated_after: start,
      limit: 100,
      fields: taskFields,
    })
    const done = closed.items
      .filter((item) => item.completed_at !== undefined && item.completed_at >= start)
      .map(taskSummaryLine)
    const instructions = promptText(
      `Write the weekly report of the project ${summary.project.key} (${JSON.stringify(summary.project.title)}) for ${from} to ${to}, time zone ${zone}.`,
      '',
      'Sections, each as short as possible:',
      numbered(reporting.steps),
      'Use only the data below, refer to tasks by key, and report figures exactly. Omit anything the data does not show.',
      closed.has_more &&
        'More tasks were closed than are shown: get the rest with list_tasks(status_category=["done"]).',
      mayCall(ctx, 'post_project_update') &&
        `Show the report first. Once it is approved, publish it with post_project_update(project_id="${summary.project.key}").`,
    )
    return [
      instructions,
      promptAnswer('get_project_summary', summaryOutline(summary)),
      promptAnswer('list_tasks', { done_this_week: done }),
    ]
  },
}

export const projectRisks: Prompt = {
  name: 'project_risks',
  title: 'Project risks',
  about: 'Risks to a project from dates, blockers, load and scope, each with a proposed action',
  arguments: [project],
  needs: ['get_project_summary', 'get_task_dependencies'],
  async messages({ project: project_id }, ctx) {
    const summary = await ctx.call<ProjectSummaryShape>('get_project_summary', { project_id })
    const instructions = promptText(
      `Find the risks to the project ${summary.project.key} (${JSON.stringify(summary.project.title)}).`,
      '',
      '1. Start with the computed risks (`risks`), and look for others: milestones whose open work cannot be finished in time at the current `throughput`, one person with most of the open work, tasks that block many others, scope that grows faster than work is completed.',
      '2. For blocked and late tasks, follow the chain with get_task_dependencies before you name a cause.',
      '3. Rank by impact. For each risk, give the evidence (keys and figures), the likelihood, the smallest step that helps, and who would take it.',
      'Change nothing.',
    )
    return [instructions, promptAnswer('get_project_summary', summaryOutline(summary))]
  },
}

export const planSprint: Prompt = {
  name: 'plan_sprint',
  title: 'Plan a sprint',
  about:
    'A proposal for the next sprint of a project from its backlog, based on the pace of earlier sprints',
  arguments: [project, { name: 'goal', about: 'what the sprint should achieve' }],
  needs: ['get_project', 'list_sprints', 'list_tasks'],
  async messages({ project: project_id, goal }, ctx) {
    const { key, name, members } = await ctx.call<ProjectShape>('get_project', { project_id })
    const sprints = await ctx.call<Page<SprintShape>>('list_sprints', {
      project_id,
      status: ['planned', 'active', 'completed'],
      limit: 8,
    })
    const open = await ctx.call<Page<TaskOutline & { sprint?: { id: string } }>>('list_tasks', {
      project_id,
      status_category: ['backlog', 'todo'],
      sort: 'priority',
      limit: 80,
      fields: [...taskFields, 'sprint'],
    })
    const activeSprintId = sprints.items.find((item) => item.status === 'active')?.id
    const candidates = open.items.filter(
      (item) => activeSprintId === undefined || item.sprint?.id !== activeSprintId,
    )
    const instructions = promptText(
      `Propose the next sprint of the project ${key} (${JSON.stringify(name)}). It is ${dayAt(ctx.now, ctx.actor.timezone)}.`,
      goal !== undefined && `Its goal: ${JSON.stringify(goal)}`,
      '',
      '1. Capacity: what earlier sprints actually completed (`done`), not what they planned (`committed`). Explain how you arrived at the number.',
      mayCall(ctx, 'list_time_off') && 'Reduce it if members are away (list_time_off).',
      '2. Choose tasks for the goal, then by priority and due date. Leave out blocked tasks unless the blocker is also in the sprint. Point out tasks without an estimate. Tasks in the active sprint are not shown.',
      '3. Show the goal, the dates, a table of the tasks with points and assignee, and the tasks that were almost included.',
      open.has_more &&
        'The backlog is longer than shown: get the rest with list_tasks(project_id, status_category=["backlog", "todo"], sort="priority").',
      mayCall(ctx, 'create_sprint')
        ? `Change nothing yet. Once the proposal is approved: create_sprint(project_id="${key}") with the tasks, or add_tasks_to_sprint if the sprint is already planned. Start it only when asked to.`
        : 'You cannot change anything with this key: only make proposals.',
    )
    const team = members.map(({ person, role, open_task_count }) => ({
      person: person.title,
      role,
      open_task_count,
    }))
    return [
      instructions,
      promptAnswer('get_project', { key, members: team }),
      promptAnswer('list_sprints', sprints.items.map(sprintOutline)),
      promptAnswer('list_tasks', candidates.map(taskSummaryLine)),
    ]
  },
}

export const sprintReview: Prompt = {
  name: 'sprint_review',
  title: 'Review a sprint',
  about:
    'What the active or last completed sprint of a project achieved, what changed along the way, and what to learn from it',
  arguments: [project],
  needs: ['list_sprints', 'get_sprint_report'],
  async messages({ project: project_id }, ctx) {
    const { items } = await ctx.call<Page<SprintShape>>('list_sprints', {
      project_id,
      status: ['active', 'completed'],
      limit: 10,
    })
    const chosen = items.find((item) => item.status === 'active') ?? items[0]
    if (!chosen)
      return [
        `The project ${project_id} has not had a sprint yet, so there is nothing to review. Say so, and offer to plan one.`,
      ]
    const report = await ctx.call<SprintReportShape>('get_sprint_report', { sprint_id: chosen.id })
    const instructions = promptText(
      `Review the ${chosen.status} sprint ${JSON.stringify(chosen.name)} of ${chosen.project.key}, ${chosen.starts_on} to ${chosen.ends_on}. It is ${dayAt(ctx.now, ctx.actor.timezone)}.`,
      '',
      '1. Was the goal reached? Judge by the tasks, not by their number.',
      '2. Committed versus done, and the burndown: where did the trend change, and which scope change explains it?',
      '3. What was added after the start, what was removed, what is carried over: for each group, say what the tasks have in common.',
      '4. At most three things to do differently, each with evidence.',
      'Refer to tasks by key. Change nothing.',
    )
    const lists = {
      completed: report.completed,
      carried_over: report.carried_over,
      added_after_start: report.added_after_start,
      removed_after_start: report.removed_after_start,
    }
    const tasks = Object.fromEntries(
      Object.entries(lists).map(([list, listedTasks]) => [list, listedTasks.map(taskSummaryLine)]),
    )
    return [
      instructions,
      promptAnswer('get_sprint_report', {
        sprint: sprintOutline(report.sprint),
        burndown: report.burndown,
        velocity: report.velocity,
        velocity_unit: report.velocity_unit,
        counts: report.counts,
        ...tasks,
      }),
    ]
  },
}

function sprintOutline({
  id,
  name,
  goal,
  status,
  starts_on,
  ends_on,
  committed,
  done,
}: SprintShape) {
  return { id, name, goal, status, starts_on, ends_on, committed, done }
}

function summaryOutline({
  overdue,
  blocked,
  due_soon,
  milestones,
  last_update,
  workload,
  ...figures
}: ProjectSummaryShape) {
  return {
    ...figures,
    workload: workload.map(({ person, open }) => ({ person: person.title, open })),
    milestones: milestones.map(({ name, status, due_on, progress, slip_days }) => ({
      name,
      status,
      due_on,
      progress,
      slip_days,
    })),
    overdue: overdue.map(taskSummaryLine),
    blocked: blocked.map(taskSummaryLine),
    due_soon: due_soon.map(taskSummaryLine),
    last_update: last_update && {
      health: last_update.health,
      at: last_update.created_at,
      author: last_update.author.title,
      text: last_update.body_markdown.slice(0, 4000),
    },
  }
}
