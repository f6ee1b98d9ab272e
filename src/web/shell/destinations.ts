import {
  IconActivity,
  IconAlertOctagon,
  IconAddressBook,
  IconApps,
  IconBeach,
  IconBell,
  IconBuilding,
  IconCalendar,
  IconLogin2,
  IconChartBar,
  IconChecklist,
  IconCircleCheck,
  IconClock,
  IconFiles,
  IconFileText,
  IconFolder,
  IconForms,
  IconHeartbeat,
  IconHeartHandshake,
  IconHexagon,
  IconSun,
  IconInbox,
  IconKey,
  IconKeyboard,
  IconMail,
  IconMessages,
  IconMicrophone,
  IconPhoneCall,
  IconPlugConnected,
  IconRobot,
  IconSearch,
  IconShare3,
  IconShieldLock,
  IconTag,
  IconTargetArrow,
  IconTrash,
  IconUser,
  IconUserQuestion,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react'
import type { CommandId } from '../keys/keymap.ts'
import type { SessionRole } from '../session/session.ts'
import { t } from '../texts/index.ts'

export interface Destination {
  to: string
  label: string
  icon: Icon
  /** The command that opens it, for its keys. */
  command?: CommandId
  roles?: readonly SessionRole[]
}

export interface DestinationGroup {
  label: string | undefined
  destinations: readonly Destination[]
}

const home: Destination = { to: '/', label: t.app.nav.home, icon: IconSun, command: 'go.home' }
const inbox: Destination = {
  to: '/inbox',
  label: t.app.nav.inbox,
  icon: IconInbox,
  command: 'go.inbox',
}
const mail: Destination = { to: '/mail', label: t.app.nav.mail, icon: IconMail, command: 'go.mail' }
const files: Destination = {
  to: '/files',
  label: t.app.nav.files,
  icon: IconFiles,
  command: 'go.files',
}
const calendar: Destination = {
  to: '/calendar',
  label: t.app.nav.calendar,
  icon: IconCalendar,
  command: 'go.calendar',
}
const approvals: Destination = {
  to: '/approvals',
  label: t.app.nav.approvals,
  icon: IconChecklist,
  command: 'go.approvals',
}
const keys: Destination = {
  to: '/settings/integrations/api-keys',
  label: t.app.nav.keys,
  icon: IconKey,
  command: 'go.keys',
}

const assistants: Destination = {
  to: '/assistants',
  label: t.app.nav.assistants,
  icon: IconRobot,
  command: 'go.assistants',
}

const activity: Destination = {
  to: '/activity',
  label: t.app.nav.activity,
  icon: IconActivity,
  command: 'go.activity',
}

const tasks: Destination = {
  to: '/tasks',
  label: t.app.nav.tasks,
  icon: IconCircleCheck,
  command: 'go.tasks',
}

const projects: Destination = {
  to: '/projects',
  label: t.app.nav.projects,
  icon: IconFolder,
  command: 'go.projects',
}

const goals: Destination = {
  to: '/goals',
  label: t.app.nav.goals,
  icon: IconTargetArrow,
  command: 'go.goals',
}

const time: Destination = {
  to: '/time',
  label: t.app.nav.time,
  icon: IconClock,
  command: 'go.time',
}

const chat: Destination = {
  to: '/chat',
  label: t.app.nav.chat,
  icon: IconMessages,
  command: 'go.chat',
}

const pages: Destination = {
  to: '/pages',
  label: t.app.nav.pages,
  icon: IconFileText,
  command: 'go.pages',
}

const contacts: Destination = {
  to: '/contacts',
  label: t.app.nav.contacts,
  icon: IconAddressBook,
  command: 'go.contacts',
}

const deals: Destination = {
  to: '/deals',
  label: t.app.nav.deals,
  icon: IconHeartHandshake,
  command: 'go.deals',
}

const incidents: Destination = {
  to: '/incidents',
  label: t.app.nav.incidents,
  icon: IconAlertOctagon,
  command: 'go.incidents',
}

const onCall: Destination = {
  to: '/on-call',
  label: t.app.nav.onCall,
  icon: IconPhoneCall,
  command: 'go.onCall',
}

const automations: Destination = {
  to: '/automations',
  label: t.app.nav.automations,
  icon: IconHexagon,
  command: 'go.automations',
}

const forms: Destination = {
  to: '/forms',
  label: t.app.nav.forms,
  icon: IconForms,
  command: 'go.forms',
}

const meetings: Destination = {
  to: '/meetings',
  label: t.app.nav.meetings,
  icon: IconMicrophone,
  command: 'go.meetings',
}

const pulses: Destination = { to: '/pulses', label: t.app.nav.pulses, icon: IconHeartbeat }

/** Secondary places, reached through the command menu, and on a phone through the list of all places. */
export const secondaryGroup: DestinationGroup = {
  label: t.app.nav.more,
  destinations: [
    pulses,
    { to: '/people', label: t.app.nav.colleagues, icon: IconUsersGroup },
    { to: '/people/experts', label: t.app.nav.experts, icon: IconUserQuestion },
    { to: '/time-off', label: t.app.nav.timeOff, icon: IconBeach },
  ],
}

const knowledge: Destination = {
  to: '/knowledge',
  label: t.app.nav.knowledge,
  icon: IconShare3,
}

/** The main places, grouped as in the sidebar. */
export const mainGroups: readonly DestinationGroup[] = [
  {
    label: undefined,
    destinations: [
      home,
      inbox,
      mail,
      calendar,
      meetings,
      tasks,
      projects,
      goals,
      time,
      chat,
      pages,
      files,
      contacts,
      deals,
      incidents,
      onCall,
      automations,
      forms,
      knowledge,
      { to: '/search', label: t.app.nav.search, icon: IconSearch, command: 'go.search' },
    ],
  },
  {
    label: t.app.nav.oversight,
    destinations: [assistants, activity, approvals],
  },
]

/** Bottom bar on phones, before and after the button in its middle. */
export const bottomTabs = { before: [home, inbox], after: [tasks, chat] }

const adminsOnly: readonly SessionRole[] = ['admin']

export const settingsGroups: readonly DestinationGroup[] = [
  {
    label: t.app.nav.integrations,
    destinations: [
      keys,
      {
        to: '/settings/accounts',
        label: t.app.nav.accounts,
        icon: IconPlugConnected,
        command: 'go.accounts',
      },
      { to: '/settings/integrations/webhooks', label: t.app.nav.webhooks, icon: IconWebhook },
    ],
  },
  {
    label: t.app.nav.personal,
    destinations: [
      {
        to: '/settings/profile',
        label: t.app.nav.profile,
        icon: IconUser,
        command: 'go.settings',
      },
      { to: '/settings/notifications', label: t.app.nav.notifications, icon: IconBell },
      { to: '/settings/mail', label: t.app.nav.mailRules, icon: IconMail },
      { to: '/settings/shortcuts', label: t.app.nav.shortcuts, icon: IconKeyboard },
      { to: '/settings/security', label: t.app.nav.security, icon: IconShieldLock },
    ],
  },
  {
    label: t.app.nav.organization,
    destinations: [
      {
        to: '/settings/organization',
        label: t.app.nav.general,
        icon: IconBuilding,
        roles: adminsOnly,
      },
      {
        to: '/settings/single-sign-on',
        label: t.app.nav.singleSignOn,
        icon: IconLogin2,
        roles: adminsOnly,
      },
      { to: '/settings/programs', label: t.app.nav.programs, icon: IconApps, roles: adminsOnly },
      { to: '/settings/people', label: t.app.nav.people, icon: IconUsers, roles: adminsOnly },
      { to: '/settings/teams', label: t.app.nav.teams, icon: IconUsersGroup },
      { to: '/settings/labels', label: t.app.nav.labels, icon: IconTag },
      { to: '/settings/trash', label: t.app.nav.trash, icon: IconTrash },
      { to: '/settings/usage', label: t.app.nav.plan, icon: IconChartBar },
    ],
  },
]

const isAvailableTo = (role: SessionRole) => (destination: Destination) =>
  destination.roles?.includes(role) ?? true

/** The groups available to a person, without empty ones. */
export function groupsFor(
  groups: readonly DestinationGroup[],
  role: SessionRole,
): DestinationGroup[] {
  return groups
    .map((group) => ({
      ...group,
      destinations: group.destinations.filter(isAvailableTo(role)),
    }))
    .filter((group) => group.destinations.length > 0)
}

/** All destinations available to a person. */
export function destinationsFor(role: SessionRole): Destination[] {
  return groupsFor([...mainGroups, secondaryGroup, ...settingsGroups], role).flatMap(
    (group) => group.destinations,
  )
}

/** True if an address is a destination or below it. */
export function isPathWithin(to: string, pathname: string): boolean {
  return pathname === to || (to !== '/' && pathname.startsWith(`${to}/`))
}
