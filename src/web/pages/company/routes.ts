import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

/**
 * The lists of contacts, companies, deals, incidents, automations and related items; the page of a single item is an
 * item address.
 */
export function companyRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    pageRoute(parent, '/contacts', () => import('./contacts/Contacts.tsx'), 'Contacts'),
    pageRoute(parent, '/deals', () => import('./deals/Pipeline.tsx'), 'Pipeline'),
    pageRoute(parent, '/automations', () => import('./automations/Automations.tsx'), 'Automations'),
    pageRoute(parent, '/companies', () => import('./contacts/Companies.tsx'), 'Companies'),
    pageRoute(parent, '/on-call', () => import('./on-call/OnCall.tsx'), 'OnCall'),
    pageRoute(parent, '/services', () => import('./services/Services.tsx'), 'Services'),
    pageRoute(parent, '/runbooks', () => import('./services/Runbooks.tsx'), 'Runbooks'),
    pageRoute(parent, '/forms', () => import('./forms/Forms.tsx'), 'Forms'),
    pageRoute(parent, '/knowledge', () => import('./knowledge/Knowledge.tsx'), 'Knowledge'),
    pageRoute(
      parent,
      '/knowledge/conflicts',
      () => import('./knowledge/Conflicts.tsx'),
      'Conflicts',
    ),
    pageRoute(
      parent,
      '/knowledge/path',
      () => import('./knowledge/Connections.tsx'),
      'Connections',
    ),
    pageRoute(parent, '/incidents', () => import('./incidents/Incidents.tsx'), 'Incidents'),
  ]
}
