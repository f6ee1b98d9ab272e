import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** Colleagues, who of them knows a subject, and who is away; the page of a person is an address of items. */
export function peopleRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    page(parent, '/people', () => import('./Colleagues.tsx'), 'Colleagues'),
    page(parent, '/people/experts', () => import('./Experts.tsx'), 'Experts'),
    page(parent, '/time-off', () => import('./TimeOff.tsx'), 'TimeOff'),
  ]
}
