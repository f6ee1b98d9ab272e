import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

export function inboxRoutes(parent: AnyRoute): AnyRoute[] {
  return [pageRoute(parent, '/inbox', () => import('./Inbox.tsx'), 'Inbox')]
}
