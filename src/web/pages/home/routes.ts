import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

export function homeRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    pageRoute(parent, '/', () => import('./Home.tsx'), 'Home'),
    pageRoute(parent, '/welcome', () => import('./Welcome.tsx'), 'Welcome'),
  ]
}
