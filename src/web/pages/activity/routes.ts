import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

export function activityRoutes(parent: AnyRoute): AnyRoute[] {
  const log = pageRoute(parent, '/activity', () => import('./Activity.tsx'), 'Activity')
  const call = pageRoute(log, 'calls/$id', () => import('./calls/CallPanel.tsx'), 'CallPanel')
  return [
    log.addChildren([call]) as AnyRoute,
    pageRoute(parent, '/activity/usage', () => import('./usage/Usage.tsx'), 'UsagePage'),
    pageRoute(parent, '/approvals', () => import('./approvals/Approvals.tsx'), 'Approvals'),
  ]
}
