import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

export function securityRoutes(parent: AnyRoute): AnyRoute[] {
  return [pageRoute(parent, '/settings/security', () => import('./Security.tsx'), 'Security')]
}
