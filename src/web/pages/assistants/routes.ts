import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

export function assistantRoutes(parent: AnyRoute): AnyRoute[] {
  return [page(parent, '/assistants', () => import('./Assistants.tsx'), 'Assistants')]
}
