import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

export function homeRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    page(parent, '/', () => import('./Home.tsx'), 'Home'),
    page(parent, '/welcome', () => import('./Welcome.tsx'), 'Welcome'),
  ]
}
