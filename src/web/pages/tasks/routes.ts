import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** The screen of tasks; the page of one of them is an address of items. */
export function taskRoutes(parent: AnyRoute): AnyRoute[] {
  return [page(parent, '/tasks', () => import('./Tasks.tsx'), 'Tasks')]
}
