import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

/** The planning screens; the pages of a project, sprint or goal are item addresses. */
export function planningRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    pageRoute(parent, '/projects', () => import('./projects/Projects.tsx'), 'Projects'),
    pageRoute(
      parent,
      '/projects/$id/$tab',
      () => import('./projects/ProjectPage.tsx'),
      'ProjectPage',
    ),
    pageRoute(parent, '/goals', () => import('./goals/Goals.tsx'), 'Goals'),
    pageRoute(parent, '/time/report', () => import('./time/TimeReport.tsx'), 'TimeReport'),
    pageRoute(parent, '/time', () => import('./time/TimeSheet.tsx'), 'TimeSheet'),
  ]
}
