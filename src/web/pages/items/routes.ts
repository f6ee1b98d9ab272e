import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'
import { addresses, type View } from './registry.ts'

type MakeRoute = (parent: AnyRoute, path: string) => AnyRoute

/** Each names its component here, and not by a lookup, so that the compiler knows whether the file has it. */
const routes: Readonly<Record<View, MakeRoute>> = {
  Channel: (parent, path) => page(parent, path, () => import('../chat/ToChat.tsx'), 'ToChat'),
  Contact: (parent, path) => page(parent, path, () => import('./kinds/Contact.tsx'), 'Contact'),
  Document: (parent, path) => page(parent, path, () => import('./kinds/Document.tsx'), 'Document'),
  Entity: (parent, path) => page(parent, path, () => import('./kinds/Entity.tsx'), 'Entity'),
  Event: (parent, path) => page(parent, path, () => import('./kinds/Event.tsx'), 'Event'),
  FilePage: (parent, path) => page(parent, path, () => import('./kinds/FilePage.tsx'), 'FilePage'),
  Form: (parent, path) => page(parent, path, () => import('./kinds/Form.tsx'), 'Form'),
  Generic: (parent, path) => page(parent, path, () => import('./kinds/Generic.tsx'), 'Generic'),
  Goal: (parent, path) =>
    page(parent, path, () => import('../planning/goals/GoalPage.tsx'), 'GoalPage'),
  Incident: (parent, path) => page(parent, path, () => import('./kinds/Incident.tsx'), 'Incident'),
  MailThread: (parent, path) =>
    page(parent, path, () => import('./kinds/MailThread.tsx'), 'MailThread'),
  Meeting: (parent, path) => page(parent, path, () => import('./kinds/Meeting.tsx'), 'Meeting'),
  PageVersions: (parent, path) =>
    page(parent, path, () => import('../wiki/versions/PageVersions.tsx'), 'PageVersions'),
  Project: (parent, path) =>
    page(parent, path, () => import('../planning/projects/ProjectPage.tsx'), 'ProjectPage'),
  Service: (parent, path) => page(parent, path, () => import('./kinds/Service.tsx'), 'ServiceItem'),
  Sprint: (parent, path) =>
    page(parent, path, () => import('../planning/sprints/SprintPage.tsx'), 'SprintPage'),
  Task: (parent, path) =>
    page(parent, path, () => import('../tasks/item/TaskPage.tsx'), 'TaskPage'),
  ToOrganization: (parent, path) =>
    page(parent, path, () => import('./ToOrganization.tsx'), 'ToOrganization'),
}

export function itemRoutes(parent: AnyRoute): AnyRoute[] {
  return addresses.map(({ path, view }) => routes[view](parent, path))
}
