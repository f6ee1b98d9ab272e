import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** Where programs send people to decide about a connection: without the frame of the app. */
export function connectRoutes(parent: AnyRoute): AnyRoute[] {
  return [page(parent, '/connect/$token', () => import('./Consent.tsx'), 'Consent')]
}
