import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** The planning screens; the pages of a project, sprint or goal are item addresses. */
export function planningRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    page(parent, '/projects', () => import('./projects/Projects.tsx'), 'Projects'),
    page(parent, '/projects/$id/$tab', () => import('./projects/ProjectPage.tsx'), 'ProjectPage'),
    page(parent, '/goals', () => import('./goals/Goals.tsx'), 'Goals'),
    page(parent, '/time/report', () => import('./time/TimeReport.tsx'), 'TimeReport'),
    page(parent, '/time', () => import('./time/TimeSheet.tsx'), 'TimeSheet'),
  ]
}
