import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

export function assistantRoutes(parent: AnyRoute): AnyRoute[] {
  return [pageRoute(parent, '/assistants', () => import('./Assistants.tsx'), 'Assistants')]
}
