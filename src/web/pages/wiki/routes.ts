import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** The wiki screens; a page and its versions are item addresses. */
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
