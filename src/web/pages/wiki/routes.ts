import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** Screens of pages of the wiki; a page and one of its versions are addresses of items. */
export function wikiRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    page(parent, '/pages', () => import('./tree/Pages.tsx'), 'Pages'),
    page(
      parent,
      '/pages/$of/versions',
      () => import('./versions/PageVersions.tsx'),
      'PageVersions',
    ),
  ]
}
