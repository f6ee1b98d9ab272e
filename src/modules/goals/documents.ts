import { document } from '../../operations/documents.ts'
import { blocks, factList, oneLine, quotation, section } from '../../kernel/text/markdown.ts'
import { goal } from './access.ts'
import type { GoalCheckinShape, GoalShape, KeyResultShape } from './shapes.ts'

export const goalDocument = document({
  name: 'goals',
  title: 'Goal',
  about:
    'One goal by its id: key results with progress, parent and child goals, projects, and the last 50 check-ins',
  resource: goal,
  read: { operation: 'get_goal', argument: 'goal_id' },
  searchedColumns: ['goals.title'],
  text: textOfGoal,
})

function textOfGoal(goal: GoalShape): string {
  return blocks(
    `# ${oneLine(goal.title)}`,
    factList({
      Period: goal.period,
      Level: goal.level,
      Owner: goal.owner.title,
      Team: goal.team?.title,
      Status: goal.status,
      Progress: `${goal.progress} %`,
      Confidence: goal.confidence,
      'At risk': goal.at_risk ? 'yes' : undefined,
      'Part of': goal.parent && `${goal.parent.title} (${goal.parent.id})`,
      Id: `${goal.id}, revision ${goal.revision}`,
      Address: goal.url,
    }),
    section('Description', goal.description_markdown ? quotation(goal.description_markdown) : ''),
    section(
      'Key results',
      goal.key_results.filter((keyResult) => !keyResult.retired).map(resultLine),
    ),
    section(
      'Child goals',
      goal.children.map((child) => `- ${oneLine(child.title)} (${child.id})`),
    ),
    section(
      'Projects',
      goal.projects.map((project) => `- ${project.key}: ${oneLine(project.title)}`),
    ),
    section('Check-ins', goal.checkins.map(checkinText).join('\n\n')),
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
  const doneText = current_value === 1 ? 'done' : 'not done'
  const percent = metric === 'percent' ? ' %' : ''
  const measured = `from ${start_value} to ${target_value}${unit ? ` ${oneLine(unit)}` : percent}, now ${current_value} (${progress} %)`
  const progressText = metric === 'boolean' ? doneText : measured
  const sourceText =
    source.kind === 'manual'
      ? ''
      : `; calculated from ${source.kind}${stale ? ' (no longer updated)' : ''}`
  return `- ${oneLine(title)} (${id}): ${progressText}; ${oneLine(owner.title)}${sourceText}`
}

function checkinText({ author, created_at, confidence, note_markdown }: GoalCheckinShape): string {
  return `${oneLine(author.title)}, ${created_at}, ${confidence} confidence${note_markdown ? `:\n\n${quotation(note_markdown)}` : ''}`
}
