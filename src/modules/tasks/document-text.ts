import type { z } from 'zod'
import { blocks, factList, oneLine, quotation, section } from '../../kernel/text/markdown.ts'
import type { Comment, ListedTask, Task } from './shapes.ts'

type TaskShape = z.infer<typeof Task>

/** A task as Markdown. Long texts that people wrote become quotations. */
export function textOfTask(task: TaskShape): string {
  return blocks(
    `# ${task.key}: ${oneLine(task.title)}`,
    taskFactsText(task),
    section('Description', task.description_markdown ? quotation(task.description_markdown) : ''),
    section(
      'Custom fields',
      factList(
        Object.fromEntries(
          Object.entries(task.custom_fields).map(([name, value]) => [
            oneLine(name),
            valueText(value),
          ]),
        ),
      ),
    ),
    section('Subtasks', task.subtasks?.map(subtaskLine)),
    section(
      'Links to other tasks',
      task.dependencies?.map(
        (dependency) =>
          `- ${dependency.type.replaceAll('_', ' ')} ${dependency.task.key}: ${oneLine(dependency.task.title)} (${dependency.status_category})`,
      ),
    ),
    section('Files and links', task.attachments?.map(attachmentLine)),
    section('Comments', task.comments?.map(commentBlock).join('\n\n')),
  )
}

function taskFactsText(task: TaskShape): string {
  return factList({
    Project: `${task.project.title} (${task.project.key})`,
    Status: `${task.status} (${task.status_category})`,
    Priority: task.priority,
    Assignees: titles(task.assignees) || 'no one',
    Starts: task.start_on ?? task.start_local,
    Due: task.due_on ?? task.due_local,
    Completed: task.completed_at,
    'Estimate in minutes': task.estimate_minutes,
    Points: task.points,
    'Part of': task.parent && `${task.parent.key}: ${task.parent.title}`,
    Sprint: task.sprint?.title,
    Milestone: task.milestone?.title,
    Labels: titles(task.labels),
    Watchers: titles(task.watchers),
    'Blocked by open tasks': task.blocked ? 'yes' : undefined,
    Repeats: task.recurrence && `${task.recurrence.rrule} (${task.recurrence.timezone})`,
    'Created from': task.source && `${task.source.type}: ${task.source.title}`,
    Created: `${task.created_at}${task.created_by ? ` by ${task.created_by.title}` : ''}`,
    'Last change': task.updated_at,
    Id: `${task.id}, revision ${task.revision}`,
    Address: task.url,
  })
}

function titles(refs: readonly { title: string }[] | undefined): string {
  return refs?.map((ref) => ref.title).join(', ') ?? ''
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (value !== null && typeof value === 'object')
    return 'title' in value ? String(value.title) : JSON.stringify(value)
  return value === null || value === undefined ? '' : String(value)
}

function subtaskLine({
  key,
  title,
  status,
  status_category,
  assignees,
}: z.infer<typeof ListedTask>): string {
  const who = titles(assignees)
  return `- [${status_category === 'done' ? 'x' : ' '}] ${key}: ${oneLine(title)} (${oneLine(status)}${who ? `, ${oneLine(who)}` : ''})`
}

function attachmentLine({
  name,
  kind,
  web_url,
  mime_type,
  size_bytes,
}: NonNullable<TaskShape['attachments']>[number]): string {
  return kind === 'link'
    ? `- ${oneLine(name)}: <${web_url}>`
    : `- ${oneLine(name)} (${[mime_type, size_bytes === undefined ? undefined : `${size_bytes} bytes`].filter((item) => item !== undefined).join(', ')})`
}

function commentBlock({
  author,
  created_at,
  edited_at,
  resolved,
  body_markdown,
}: z.infer<typeof Comment>): string {
  const marks = [edited_at && 'edited', resolved && 'resolved'].filter((item) => item).join(', ')
  return `${oneLine(author.title)}, ${created_at}${marks ? ` (${marks})` : ''}:\n\n${quotation(body_markdown)}`
}
