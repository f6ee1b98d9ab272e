import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

export function calendarRoutes(parent: AnyRoute): AnyRoute[] {
  return [pageRoute(parent, '/calendar', () => import('./Calendar.tsx'), 'Calendar')]
}
