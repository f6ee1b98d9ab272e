import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** Pages for signed-out people. */
export function enterRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    page(parent, '/sign-in', () => import('./SignIn.tsx'), 'SignIn'),
    page(parent, '/invite/$token', () => import('./Invite.tsx'), 'Invite'),
    page(parent, '/reset/$token', () => import('./Reset.tsx'), 'Reset'),
  ]
}
