import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

/** The top levels of the drives; a folder or file in them is an item address. */
export function driveRoutes(parent: AnyRoute): AnyRoute[] {
  return [pageRoute(parent, '/files', () => import('./Drive.tsx'), 'Drive')]
}
