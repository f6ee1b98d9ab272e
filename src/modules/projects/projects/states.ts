import { denied, invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

type Project = Row<'projects'>

const allowedNext: Record<Project['status'], readonly Project['status'][]> = {
  planned: ['active'],
  active: ['paused', 'completed'],
  paused: ['active', 'completed'],
  completed: ['active'],
  archived: [],
}

/** @throws Refusal conflict if the state change is not allowed in one step */
export function requireStep(project: Project, to: Project['status']): void {
  if (project.status === to || allowedNext[project.status].includes(to)) return
  throw new Refusal(
    'conflict',
    `A ${project.status} project cannot become ${to}; it can become ${allowedNext[project.status].join(' or ')}.`,
    {
      field: 'status',
      context: { status: project.status, allowed: allowedNext[project.status] },
    },
  )
}

/** @throws Refusal permission_denied for an archived project: neither its settings nor its contents may be changed */
export function requireUnarchived(projectRow: Project): void {
  if (projectRow.status === 'archived')
    throw denied(
      `${projectRow.key} is archived and read-only.`,
      'Its lead can restore it with archive_project(archived=false).',
    )
}

/** @throws Refusal invalid_argument if a span ends before it starts */
export function requireSpan(startsOn: string | null, endsOn: string | null): void {
  if (startsOn !== null && endsOn !== null && endsOn < startsOn)
    throw invalid('ends_on', `${endsOn} is before the start, ${startsOn}.`)
}
