import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** Page on which people decide about a connection: without the frame of the app. */
export function connectRoutes(parent: AnyRoute): AnyRoute[] {
  return [page(parent, '/connect/$token', () => import('./Consent.tsx'), 'Consent')]
}
