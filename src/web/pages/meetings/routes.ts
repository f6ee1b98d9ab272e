import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** The lists of meetings and of what came of them; the page of one is an address of items. */
export function meetingRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    page(parent, '/meetings', () => import('./Meetings.tsx'), 'Meetings'),
    page(parent, '/decisions', () => import('./results/DecisionList.tsx'), 'DecisionList'),
    page(parent, '/pulses', () => import('./pulses/Pulses.tsx'), 'Pulses'),
    page(parent, '/action-items', () => import('./results/ActionList.tsx'), 'ActionList'),
  ]
}
