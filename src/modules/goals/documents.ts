import { document } from '../../operations/documents.ts'
import { blocks, facts, oneLine, quotation, section } from '../../kernel/text/markdown.ts'
import { goal } from './access.ts'
import type { GoalCheckinShape, GoalShape, KeyResultShape } from './shapes.ts'

export const goalDocument = document({
  name: 'goals',
  title: 'Goal',
  about:
    'One goal by its id: key results with progress, parent and child goals, projects, and the last 50 check-ins',
  resource: goal,
  read: { operation: 'get_goal', argument: 'goal_id' },
  words: ['goals.title'],
  text: textOfGoal,
})

function textOfGoal(of: GoalShape): string {
  return blocks(
    `# ${oneLine(of.title)}`,
    facts({
      Period: of.period,
      Level: of.level,
      Owner: of.owner.title,
      Team: of.team?.title,
      Status: of.status,
      Progress: `${of.progress} %`,
      Confidence: of.confidence,
      'At risk': of.at_risk ? 'yes' : undefined,
      'Part of': of.parent && `${of.parent.title} (${of.parent.id})`,
      Id: `${of.id}, revision ${of.revision}`,
      Address: of.url,
    }),
    section('Description', of.description_markdown ? quotation(of.description_markdown) : ''),
    section(
      'Key results',
      of.key_results.filter((keyResult) => !keyResult.retired).map(resultLine),
    ),
    section(
      'Child goals',
      of.children.map((child) => `- ${oneLine(child.title)} (${child.id})`),
    ),
    section(
      'Projects',
      of.projects.map((project) => `- ${project.key}: ${oneLine(project.title)}`),
    ),
    section('Check-ins', of.checkins.map(checkinText).join('\n\n')),
  )
}

function resultLine({
  id,
  title,
  owner,
  metric,
  start_value,
  current_value,
  target_value,
  unit,
  progress,
  source,
  stale,
}: KeyResultShape): string {
  const done = current_value === 1 ? 'done' : 'not done'
  const percent = metric === 'percent' ? ' %' : ''
  const measured = `from ${start_value} to ${target_value}${unit ? ` ${oneLine(unit)}` : percent}, now ${current_value} (${progress} %)`
  const way = metric === 'boolean' ? done : measured
  const fed =
    source.kind === 'manual'
      ? ''
      : `; calculated from ${source.kind}${stale ? ' (no longer updated)' : ''}`
  return `- ${oneLine(title)} (${id}): ${way}; ${oneLine(owner.title)}${fed}`
}

function checkinText({ author, created_at, confidence, note_markdown }: GoalCheckinShape): string {
  return `${oneLine(author.title)}, ${created_at}, ${confidence} confidence${note_markdown ? `:\n\n${quotation(note_markdown)}` : ''}`
}
