import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

export function inboxRoutes(parent: AnyRoute): AnyRoute[] {
  return [page(parent, '/inbox', () => import('./Inbox.tsx'), 'Inbox')]
}
