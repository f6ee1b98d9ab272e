import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'
import { addresses, type View } from './registry.ts'

const files: Readonly<Record<View, () => Promise<Record<string, unknown>>>> = {
  Channel: () => import('./Channel.tsx'),
  Contact: () => import('./Contact.tsx'),
  Document: () => import('./Document.tsx'),
  Entity: () => import('./Entity.tsx'),
  Event: () => import('./Event.tsx'),
  FilePage: () => import('./FilePage.tsx'),
  Form: () => import('./Form.tsx'),
  Generic: () => import('./Generic.tsx'),
  Goal: () => import('./Goal.tsx'),
  History: () => import('./History.tsx'),
  Incident: () => import('./Incident.tsx'),
  MailThread: () => import('./MailThread.tsx'),
  Meeting: () => import('./Meeting.tsx'),
  Project: () => import('./Project.tsx'),
  Service: () => import('./Service.tsx'),
  Task: () => import('./Task.tsx'),
  ToOrganization: () => import('./ToOrganization.tsx'),
}

export function itemRoutes(parent: AnyRoute): AnyRoute[] {
  return addresses.map(({ path, view }) => page(parent, path, files[view], view))
}
