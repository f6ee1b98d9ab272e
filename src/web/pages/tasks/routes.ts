import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

/** The task screen; the page of a task is an item address. */
export function taskRoutes(parent: AnyRoute): AnyRoute[] {
  return [pageRoute(parent, '/tasks', () => import('./Tasks.tsx'), 'Tasks')]
}
