import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

export function securityRoutes(parent: AnyRoute): AnyRoute[] {
  return [page(parent, '/settings/security', () => import('./Security.tsx'), 'Security')]
}
