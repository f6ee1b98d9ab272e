import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

/** The lists of meetings and their results; the page of a meeting is an item address. */
export function meetingRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    pageRoute(parent, '/meetings', () => import('./Meetings.tsx'), 'Meetings'),
    pageRoute(parent, '/decisions', () => import('./results/DecisionList.tsx'), 'DecisionList'),
    pageRoute(parent, '/pulses', () => import('./pulses/Pulses.tsx'), 'Pulses'),
    pageRoute(parent, '/action-items', () => import('./results/ActionList.tsx'), 'ActionList'),
  ]
}
