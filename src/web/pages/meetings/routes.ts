import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** The lists of meetings and their results; the page of a meeting is an item address. */
export function meetingRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    page(parent, '/meetings', () => import('./Meetings.tsx'), 'Meetings'),
    page(parent, '/decisions', () => import('./results/DecisionList.tsx'), 'DecisionList'),
    page(parent, '/pulses', () => import('./pulses/Pulses.tsx'), 'Pulses'),
    page(parent, '/action-items', () => import('./results/ActionList.tsx'), 'ActionList'),
  ]
}
