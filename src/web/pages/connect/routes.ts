import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

/** Page on which people decide about a connection: without the frame of the app. */
export function connectRoutes(parent: AnyRoute): AnyRoute[] {
  return [pageRoute(parent, '/connect/$token', () => import('./Consent.tsx'), 'Consent')]
}
