import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'
import { addresses, type View } from './registry.ts'

type MakeRoute = (parent: AnyRoute, path: string) => AnyRoute

/**
 * Each route references its component directly, not by lookup, so that the compiler checks that the file exports it.
 */
const routes: Readonly<Record<View, MakeRoute>> = {
  Automation: (parent, path) =>
    pageRoute(
      parent,
      path,
      () => import('../company/automations/AutomationPage.tsx'),
      'AutomationPage',
    ),
  Channel: (parent, path) =>
    pageRoute(parent, path, () => import('../chat/ToChat.tsx'), 'ChatRedirect'),
  Company: (parent, path) =>
    pageRoute(parent, path, () => import('../company/contacts/CompanyPage.tsx'), 'CompanyPage'),
  Contact: (parent, path) =>
    pageRoute(parent, path, () => import('../company/contacts/ContactPage.tsx'), 'ContactPage'),
  Deal: (parent, path) =>
    pageRoute(parent, path, () => import('../company/deals/DealPage.tsx'), 'DealPage'),
  Document: (parent, path) =>
    pageRoute(parent, path, () => import('./kinds/Document.tsx'), 'Document'),
  Entity: (parent, path) =>
    pageRoute(parent, path, () => import('../company/knowledge/EntityPage.tsx'), 'EntityPage'),
  Event: (parent, path) => pageRoute(parent, path, () => import('./kinds/Event.tsx'), 'Event'),
  FilePage: (parent, path) =>
    pageRoute(parent, path, () => import('./kinds/FilePage.tsx'), 'FilePage'),
  Form: (parent, path) =>
    pageRoute(parent, path, () => import('../company/forms/FormPage.tsx'), 'FormPage'),
  FormAnswer: (parent, path) =>
    pageRoute(parent, path, () => import('../company/forms/AnswerPage.tsx'), 'AnswerPage'),
  Generic: (parent, path) =>
    pageRoute(parent, path, () => import('./kinds/Generic.tsx'), 'Generic'),
  Goal: (parent, path) =>
    pageRoute(parent, path, () => import('../planning/goals/GoalPage.tsx'), 'GoalPage'),
  Incident: (parent, path) =>
    pageRoute(parent, path, () => import('../company/incidents/IncidentPage.tsx'), 'IncidentPage'),
  MailThread: (parent, path) =>
    pageRoute(parent, path, () => import('./kinds/MailThread.tsx'), 'MailThread'),
  Meeting: (parent, path) =>
    pageRoute(parent, path, () => import('../meetings/MeetingPage.tsx'), 'MeetingPage'),
  OnCall: (parent, path) =>
    pageRoute(parent, path, () => import('../company/on-call/OnCall.tsx'), 'OnCall'),
  PageVersions: (parent, path) =>
    pageRoute(parent, path, () => import('../wiki/versions/PageVersions.tsx'), 'PageVersions'),
  Person: (parent, path) =>
    pageRoute(parent, path, () => import('../people/PersonPage.tsx'), 'PersonPage'),
  Project: (parent, path) =>
    pageRoute(parent, path, () => import('../planning/projects/ProjectPage.tsx'), 'ProjectPage'),
  Pulse: (parent, path) =>
    pageRoute(parent, path, () => import('../meetings/pulses/PulsePage.tsx'), 'PulsePage'),
  Service: (parent, path) =>
    pageRoute(parent, path, () => import('./kinds/Service.tsx'), 'ServiceItem'),
  Sprint: (parent, path) =>
    pageRoute(parent, path, () => import('../planning/sprints/SprintPage.tsx'), 'SprintPage'),
  Task: (parent, path) =>
    pageRoute(parent, path, () => import('../tasks/item/TaskPage.tsx'), 'TaskPage'),
  ToOrganization: (parent, path) =>
    pageRoute(parent, path, () => import('./ToOrganization.tsx'), 'ToOrganization'),
}

export function itemRoutes(parent: AnyRoute): AnyRoute[] {
  return addresses.map(({ path, view }) => routes[view](parent, path))
}
