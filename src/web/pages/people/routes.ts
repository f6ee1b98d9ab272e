import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** Colleagues, experts by subject, and absences; the page of a person is an item address. */
export function peopleRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    page(parent, '/people', () => import('./Colleagues.tsx'), 'Colleagues'),
    page(parent, '/people/experts', () => import('./Experts.tsx'), 'Experts'),
    page(parent, '/time-off', () => import('./TimeOff.tsx'), 'TimeOff'),
  ]
}
