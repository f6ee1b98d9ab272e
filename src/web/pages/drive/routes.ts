import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** The drives from their top; a folder or file in them is an address of items. */
export function driveRoutes(parent: AnyRoute): AnyRoute[] {
  return [page(parent, '/files', () => import('./Drive.tsx'), 'Drive')]
}
