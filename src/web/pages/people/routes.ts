import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

/** Colleagues, experts by subject, and absences; the page of a person is an item address. */
export function peopleRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    pageRoute(parent, '/people', () => import('./Colleagues.tsx'), 'Colleagues'),
    pageRoute(parent, '/people/experts', () => import('./Experts.tsx'), 'Experts'),
    pageRoute(parent, '/time-off', () => import('./TimeOff.tsx'), 'TimeOff'),
  ]
}
