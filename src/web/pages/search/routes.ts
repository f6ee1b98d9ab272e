import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

export function searchRoutes(parent: AnyRoute): AnyRoute[] {
  return [page(parent, '/search', () => import('./Search.tsx'), 'Search')]
}
