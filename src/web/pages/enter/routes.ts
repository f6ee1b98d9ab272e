import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

/** Pages for signed-out people. */
export function enterRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    pageRoute(parent, '/sign-in', () => import('./SignIn.tsx'), 'SignIn'),
    pageRoute(parent, '/invite/$token', () => import('./Invite.tsx'), 'Invite'),
    pageRoute(parent, '/reset/$token', () => import('./Reset.tsx'), 'Reset'),
  ]
}
