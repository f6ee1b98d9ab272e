import { appProject } from './sample-app.ts'
import { seededDice } from './dice.ts'
import { moveProject } from './sample-move.ts'
import type { SampleProject, SampleTask, SamplePerson } from './sample-shapes.ts'
import { websiteProject } from './sample-website.ts'

export const people: Record<SamplePerson, { name: string; role: 'admin' | 'member' | 'guest' }> = {
  mia: { name: 'Mia Berg', role: 'admin' },
  tom: { name: 'Tom Costa', role: 'member' },
  lena: { name: 'Lena Dupont', role: 'guest' },
}

export const labels: readonly (readonly [name: string, color: string, about: string])[] = [
  ['bug', '#dc2626', 'Something that does not work as intended'],
  ['design', '#9333ea', 'Needs a design review'],
  ['content', '#0891b2', 'Words and pictures'],
  ['legal', '#ca8a04', 'Needs legal review before release'],
  ['quick win', '#16a34a', 'Half an hour or less'],
]

export const projects: readonly SampleProject[] = [websiteProject, appProject, moveProject]

const verbs = [
  'Check',
  'Write',
  'Review',
  'Repair',
  'Plan',
  'Replace',
  'Measure',
  'Tidy up',
  'Translate',
  'Document',
  'Test',
  'Update',
] as const
const things = [
  'the front page',
  'the booking form',
  'the price list',
  'the newsletter',
  'the backup',
  'the contract',
  'the photo archive',
  'the search',
  'the sign-in',
  'the reports',
  'the calendar',
  'the invoices',
] as const
const reasons = [
  'before the launch',
  'after the last release',
  'for the new colleague',
  'as the guests asked',
  'for next quarter',
  'in both languages',
] as const
const statuses = ['Backlog', 'To do', 'To do', 'In progress', 'In review', 'Done'] as const
const priorities = [undefined, undefined, 'low', 'medium', 'high', 'urgent'] as const

/** The nth additional task, for tests at scale; deterministic. */
export function additionalTask(n: number): { project: SampleProject; task: SampleTask } {
  const dice = seededDice(n)
  const project = projects[dice(projects.length)]!
  const projectPeople = [project.lead, ...project.members]
  const priority = priorities[dice(priorities.length)]
  const task: SampleTask = {
    title: `${verbs[dice(verbs.length)]} ${things[dice(things.length)]} ${reasons[dice(reasons.length)]} (${n + 1})`,
    by: projectPeople[dice(projectPeople.length)]!,
    status: statuses[dice(statuses.length)]!,
    assignees: [projectPeople[dice(projectPeople.length)]!],
    points: 1 + dice(8),
    ...(priority ? { priority } : {}),
    ...(dice(3) === 0 ? { due: dice(90) - 20 } : {}),
    ...(dice(2) === 0 ? { labels: [labels[dice(labels.length)]![0]] } : {}),
  }
  return { project, task }
}
