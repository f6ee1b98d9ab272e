import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

export function mailRoutes(parent: AnyRoute): AnyRoute[] {
  return [page(parent, '/mail', () => import('./Mail.tsx'), 'Mail')]
}
