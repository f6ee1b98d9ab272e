import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

export function calendarRoutes(parent: AnyRoute): AnyRoute[] {
  return [page(parent, '/calendar', () => import('./Calendar.tsx'), 'Calendar')]
}
