import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** The top levels of the drives; a folder or file in them is an item address. */
export function driveRoutes(parent: AnyRoute): AnyRoute[] {
  return [page(parent, '/files', () => import('./Drive.tsx'), 'Drive')]
}
