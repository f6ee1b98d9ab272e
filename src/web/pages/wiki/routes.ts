import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

/** The wiki screens; a page and its versions are item addresses. */
export function wikiRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    pageRoute(parent, '/pages', () => import('./tree/Pages.tsx'), 'Pages'),
    pageRoute(
      parent,
      '/pages/$of/versions',
      () => import('./versions/PageVersions.tsx'),
      'PageVersions',
    ),
  ]
}
