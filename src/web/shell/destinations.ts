import {
  IconActivity,
  IconBell,
  IconBuilding,
  IconChartBar,
  IconChecklist,
  IconHome,
  IconKey,
  IconPlugConnected,
  IconSearch,
  IconShieldLock,
  IconUser,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react'
import type { SessionRole } from '../session/session.ts'
import { t } from '../texts/index.ts'

export interface Destination {
  to: string
  label: string
  icon: Icon
  /** The keys that lead there: one after the other. */
  keys?: string
  isFor?: readonly SessionRole[]
}

export const main: readonly Destination[] = [
  { to: '/', label: t.app.nav.home, icon: IconHome, keys: 'g h' },
  { to: '/search', label: t.app.nav.search, icon: IconSearch, keys: 'g /' },
  { to: '/activity', label: t.app.nav.activity, icon: IconActivity, keys: 'g a' },
  { to: '/approvals', label: t.app.nav.approvals, icon: IconChecklist, keys: 'g w' },
]

const admins: readonly SessionRole[] = ['admin']

export const settings: readonly { label: string; of: readonly Destination[] }[] = [
  {
    label: t.app.nav.integrations,
    of: [
      { to: '/settings/integrations/api-keys', label: t.app.nav.keys, icon: IconKey, keys: 'g k' },
      { to: '/settings/accounts', label: t.app.nav.accounts, icon: IconPlugConnected, keys: 'g c' },
      { to: '/settings/integrations/webhooks', label: t.app.nav.webhooks, icon: IconWebhook },
    ],
  },
  {
    label: t.app.nav.personal,
    of: [
      { to: '/settings/profile', label: t.app.nav.profile, icon: IconUser, keys: 'g s' },
      { to: '/settings/notifications', label: t.app.nav.notifications, icon: IconBell },
      { to: '/settings/security', label: t.app.nav.security, icon: IconShieldLock },
    ],
  },
  {
    label: t.app.nav.organization,
    of: [
      { to: '/settings/organization', label: t.app.nav.general, icon: IconBuilding, isFor: admins },
      { to: '/settings/people', label: t.app.nav.people, icon: IconUsers, isFor: admins },
      { to: '/settings/teams', label: t.app.nav.teams, icon: IconUsersGroup },
      { to: '/settings/usage', label: t.app.nav.plan, icon: IconChartBar },
    ],
  },
]

/** All that somebody may go to. */
export function destinationsFor(role: SessionRole): Destination[] {
  return [...main, ...settings.flatMap((group) => group.of)].filter(
    (destination) => destination.isFor?.includes(role) ?? true,
  )
}
