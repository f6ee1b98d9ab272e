import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

export function keyRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    pageRoute(parent, '/settings/integrations/api-keys', () => import('./Keys.tsx'), 'Keys'),
    pageRoute(
      parent,
      '/settings/integrations/api-keys/$id',
      () => import('./KeyPage.tsx'),
      'KeyPage',
    ),
  ]
}
