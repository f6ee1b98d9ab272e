import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

export function keyRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    page(parent, '/settings/integrations/api-keys', () => import('./Keys.tsx'), 'Keys'),
    page(parent, '/settings/integrations/api-keys/$id', () => import('./KeyPage.tsx'), 'KeyPage'),
  ]
}
