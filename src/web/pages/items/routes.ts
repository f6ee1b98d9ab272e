import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'
import { addresses, type View } from './registry.ts'

type MakeRoute = (parent: AnyRoute, path: string) => AnyRoute

/**
 * Each route references its component directly, not by lookup, so that the compiler checks that the file exports it.
 */
const routes: Readonly<Record<View, MakeRoute>> = {
  Automation: (parent, path) =>
    page(parent, path, () => import('../company/automations/AutomationPage.tsx'), 'AutomationPage'),
  Channel: (parent, path) => page(parent, path, () => import('../chat/ToChat.tsx'), 'ToChat'),
  Company: (parent, path) =>
    page(parent, path, () => import('../company/contacts/CompanyPage.tsx'), 'CompanyPage'),
  Contact: (parent, path) =>
    page(parent, path, () => import('../company/contacts/ContactPage.tsx'), 'ContactPage'),
  Deal: (parent, path) =>
    page(parent, path, () => import('../company/deals/DealPage.tsx'), 'DealPage'),
  Document: (parent, path) => page(parent, path, () => import('./kinds/Document.tsx'), 'Document'),
  Entity: (parent, path) =>
    page(parent, path, () => import('../company/knowledge/EntityPage.tsx'), 'EntityPage'),
  Event: (parent, path) => page(parent, path, () => import('./kinds/Event.tsx'), 'Event'),
  FilePage: (parent, path) => page(parent, path, () => import('./kinds/FilePage.tsx'), 'FilePage'),
  Form: (parent, path) =>
    page(parent, path, () => import('../company/forms/FormPage.tsx'), 'FormPage'),
  FormAnswer: (parent, path) =>
    page(parent, path, () => import('../company/forms/AnswerPage.tsx'), 'AnswerPage'),
  Generic: (parent, path) => page(parent, path, () => import('./kinds/Generic.tsx'), 'Generic'),
  Goal: (parent, path) =>
    page(parent, path, () => import('../planning/goals/GoalPage.tsx'), 'GoalPage'),
  Incident: (parent, path) =>
    page(parent, path, () => import('../company/incidents/IncidentPage.tsx'), 'IncidentPage'),
  MailThread: (parent, path) =>
    page(parent, path, () => import('./kinds/MailThread.tsx'), 'MailThread'),
  Meeting: (parent, path) =>
    page(parent, path, () => import('../meetings/MeetingPage.tsx'), 'MeetingPage'),
  OnCall: (parent, path) =>
    page(parent, path, () => import('../company/on-call/OnCall.tsx'), 'OnCall'),
  PageVersions: (parent, path) =>
    page(parent, path, () => import('../wiki/versions/PageVersions.tsx'), 'PageVersions'),
  Person: (parent, path) =>
    page(parent, path, () => import('../people/PersonPage.tsx'), 'PersonPage'),
  Project: (parent, path) =>
    page(parent, path, () => import('../planning/projects/ProjectPage.tsx'), 'ProjectPage'),
  Pulse: (parent, path) =>
    page(parent, path, () => import('../meetings/pulses/PulsePage.tsx'), 'PulsePage'),
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
