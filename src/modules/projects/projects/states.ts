import { denied, invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

type Project = Row<'projects'>

const steps: Record<Project['status'], readonly Project['status'][]> = {
  planned: ['active'],
  active: ['paused', 'completed'],
  paused: ['active', 'completed'],
  completed: ['active'],
  archived: [],
}

/** @throws Refusal conflict where a project cannot go from its state to the other in one step */
export function requireStep(of: Project, to: Project['status']): void {
  if (of.status === to || steps[of.status].includes(to)) return
  throw new Refusal(
    'conflict',
    `A ${of.status} project cannot become ${to}; it can become ${steps[of.status].join(' or ')}.`,
    {
      field: 'status',
      context: { status: of.status, allowed: steps[of.status] },
    },
  )
}

/** @throws Refusal permission_denied for an archived project: what its lead may set is as closed as what its members may */
export function requireUnarchived(of: Project): void {
  if (of.status === 'archived')
    throw denied(
      `${of.key} is archived and read-only.`,
      'Its lead can restore it with archive_project(archived=false).',
    )
}

/** @throws Refusal invalid_argument where a span ends before it starts */
export function requireSpan(startsOn: string | null, endsOn: string | null): void {
  if (startsOn !== null && endsOn !== null && endsOn < startsOn)
    throw invalid('ends_on', `${endsOn} is before the start, ${startsOn}.`)
}
