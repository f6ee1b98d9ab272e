import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

export function activityRoutes(parent: AnyRoute): AnyRoute[] {
  const log = page(parent, '/activity', () => import('./Activity.tsx'), 'Activity')
  const call = page(log, 'calls/$id', () => import('./calls/CallPanel.tsx'), 'CallPanel')
  return [
    log.addChildren([call]) as AnyRoute,
    page(parent, '/activity/usage', () => import('./usage/Usage.tsx'), 'UsagePage'),
    page(parent, '/approvals', () => import('./approvals/Approvals.tsx'), 'Approvals'),
  ]
}
