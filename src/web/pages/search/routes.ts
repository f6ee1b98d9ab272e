import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

export function searchRoutes(parent: AnyRoute): AnyRoute[] {
  return [pageRoute(parent, '/search', () => import('./Search.tsx'), 'Search')]
}
