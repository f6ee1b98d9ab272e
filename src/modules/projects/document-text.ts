import type { z } from 'zod'
import { blocks, factList, oneLine, quotation, section } from '../../kernel/text/markdown.ts'
import type { ListedTask } from '../tasks/shapes.ts'
import type { ProjectShape } from './shapes.ts'
import type { Amount } from './sprints/shapes.ts'
import type { MilestoneShape } from './milestones/shapes.ts'
import type { SprintReportShape } from './sprints/reports.ts'
import type { ProjectSummaryShape } from './projects/summaries.ts'
import { quantity } from '../../kernel/text/quantity.ts'

type TaskShape = z.infer<typeof ListedTask>

/** A project as Markdown, with its outlook if the reader may request it. */
export function textOfProject(
  project: ProjectShape,
  summary: ProjectSummaryShape | undefined,
): string {
  return blocks(
    `# ${project.key}: ${oneLine(project.name)}`,
    factList({
      Status: project.status,
      Health: project.health?.replaceAll('_', ' '),
      Lead: project.lead.title,
      Team: project.team?.title,
      Starts: project.starts_on,
      Ends: project.ends_on,
      'Current sprint':
        project.current_sprint && `${project.current_sprint.title} (${project.current_sprint.id})`,
      Tasks: countsText(project.task_counts),
      'Last change': project.updated_at,
      Id: `${project.id}, revision ${project.revision}`,
      Address: project.url,
    }),
    section(
      'Description',
      project.description_markdown ? quotation(project.description_markdown) : '',
    ),
    section(
      'Members',
      project.members.map(
        ({ person, role, open_task_count }) =>
          `- ${oneLine(person.title)}${role === 'lead' ? ' (lead)' : ''}: ${quantity(open_task_count, 'open task')}`,
      ),
    ),
    section(
      'Statuses in order',
      project.statuses.map(
        (status) =>
          `- ${oneLine(status.name)} (${status.category}${status.wip_limit === undefined ? '' : `, at most ${status.wip_limit}`})`,
      ),
    ),
    section(
      'Custom fields',
      project.custom_fields
        .filter((customField) => !customField.retired)
        .map(
          (customField) =>
            `- ${oneLine(customField.name)} (${customField.type}${customField.required ? ', required' : ''})`,
        ),
    ),
    ...(summary ? outlook(summary) : []),
  )
}

function countsText({ total, ...each }: ProjectShape['task_counts']): string {
  const parts = Object.entries(each)
    .filter(([, count]) => count > 0)
    .map(([category, count]) => `${count} ${category.replaceAll('_', ' ')}`)
  return `${total}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`
}

function outlook({
  from,
  to,
  progress,
  counts,
  unassigned,
  scope_change,
  throughput,
  milestones,
  last_update,
  risks,
  overdue,
  blocked,
  due_soon,
}: ProjectSummaryShape): string[] {
  return [
    section(
      `Outlook, ${from} to ${to}`,
      factList({
        Progress: `${progress.done} of ${progress.total} done (${progress.percent} %)`,
        Open: `${counts.open}, of which ${counts.overdue} overdue, ${counts.blocked} blocked, ${counts.due_soon} due within 7 days, ${unassigned} without an assignee`,
        Scope: `${scope_change.added} added, ${scope_change.removed} removed`,
        'Done by week': throughput.map(({ week, done }) => `${week}: ${done}`).join(', '),
      }),
    ),
    section(
      'Risks',
      risks.map((risk) => `- ${oneLine(risk.detail)}`),
    ),
    section('Milestones', milestones.map(milestoneLine)),
    section('Overdue', taskLines(overdue, counts.overdue)),
    section('Blocked', taskLines(blocked, counts.blocked)),
    section('Due within 7 days', taskLines(due_soon, counts.due_soon)),
    section(
      'Last update',
      last_update
        ? `${oneLine(last_update.author.title)}, ${last_update.created_at}, ${last_update.health.replaceAll('_', ' ')}:\n\n${quotation(last_update.body_markdown)}`
        : '',
    ),
  ]
}

function milestoneLine({ name, status, due_on, progress, slip_days }: MilestoneShape): string {
  return `- ${oneLine(name)}: ${status}${due_on ? `, due ${due_on}` : ''}, ${progress.done} of ${progress.total} done${slip_days > 0 ? `, ${quantity(slip_days, 'day')} behind its original date` : ''}`
}

/** Tasks as lines, and the number of further ones. */
function taskLines(tasks: readonly TaskShape[], count: number): string[] {
  const lines = tasks.map(
    (task) =>
      `- ${task.key}: ${oneLine(task.title)} (${[
        task.status,
        task.assignees.map((who) => who.title).join(' and ') || 'unassigned',
        (task.due_on ?? task.due_local) && `due ${task.due_on ?? task.due_local}`,
      ]
        .filter((part) => part)
        .map((part) => oneLine(part!))
        .join(', ')})`,
  )
  return count > tasks.length ? [...lines, `- and ${count - tasks.length} more`] : lines
}

/** A sprint's report as Markdown. */
export function textOfSprint({
  sprint,
  burndown,
  velocity,
  velocity_unit,
  counts,
  completed,
  carried_over,
  carried_to,
  added_after_start,
  removed_after_start,
}: SprintReportShape): string {
  return blocks(
    `# ${sprint.project.key}: ${oneLine(sprint.name)}`,
    factList({
      Project: `${sprint.project.title} (${sprint.project.key})`,
      Status: sprint.status,
      Dates: `${sprint.starts_on} to ${sprint.ends_on}`,
      Committed: amountText(sprint.committed),
      Done: amountText(sprint.done),
      Velocity: sprint.status === 'planned' ? undefined : `${velocity} ${velocity_unit}`,
      'Carried over to': carried_to?.title,
      Id: `${sprint.id}, revision ${sprint.revision}`,
      Address: sprint.url,
    }),
    section('Goal', sprint.goal ? quotation(sprint.goal) : ''),
    section(
      `Burndown in ${velocity_unit}`,
      burndown.map((item) => `- ${item.date}: ${item.remaining} left (ideal ${item.ideal})`),
    ),
    section('Completed', taskLines(completed, counts.completed)),
    section('Carried over', taskLines(carried_over, counts.carried_over)),
    section('Added after the start', taskLines(added_after_start, counts.added_after_start)),
    section('Removed after the start', taskLines(removed_after_start, counts.removed_after_start)),
  )
}

function amountText({ tasks, points }: Amount): string {
  return `${quantity(tasks, 'task')}, ${quantity(points, 'point')}`
}
