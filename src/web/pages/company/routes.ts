import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/**
 * The lists of contacts, companies, deals, incidents, automations and related items; the page of a single item is an
 * item address.
 */
export function companyRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    page(parent, '/contacts', () => import('./contacts/Contacts.tsx'), 'Contacts'),
    page(parent, '/deals', () => import('./deals/Pipeline.tsx'), 'Pipeline'),
    page(parent, '/automations', () => import('./automations/Automations.tsx'), 'Automations'),
    page(parent, '/companies', () => import('./contacts/Companies.tsx'), 'Companies'),
    page(parent, '/on-call', () => import('./on-call/OnCall.tsx'), 'OnCall'),
    page(parent, '/services', () => import('./services/Services.tsx'), 'Services'),
    page(parent, '/runbooks', () => import('./services/Runbooks.tsx'), 'Runbooks'),
    page(parent, '/forms', () => import('./forms/Forms.tsx'), 'Forms'),
    page(parent, '/knowledge', () => import('./knowledge/Knowledge.tsx'), 'Knowledge'),
    page(parent, '/knowledge/conflicts', () => import('./knowledge/Conflicts.tsx'), 'Conflicts'),
    page(parent, '/knowledge/path', () => import('./knowledge/Connections.tsx'), 'Connections'),
    page(parent, '/incidents', () => import('./incidents/Incidents.tsx'), 'Incidents'),
  ]
}
