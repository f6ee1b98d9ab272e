import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

export function mailRoutes(parent: AnyRoute): AnyRoute[] {
  return [pageRoute(parent, '/mail', () => import('./Mail.tsx'), 'Mail')]
}
