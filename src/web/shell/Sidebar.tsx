import { IconArrowLeft, IconLayoutSidebar, IconSearch, IconSettings } from '@tabler/icons-react'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { runCommand } from '../keys/commands.ts'
import { KeyCombo } from '../keys/KeyCombo.tsx'
import { tooltipOf } from '../keys/tooltip.ts'
import { WaitingBadge } from '../pages/activity/approvals/WaitingBadge.tsx'
import { InboxBadge } from '../pages/inbox/InboxBadge.tsx'
import { ChatBadge } from '../pages/chat/channels/ChatBadge.tsx'
import { RunningBadge } from '../pages/planning/time/RunningTimer.tsx'
import { useSignedIn } from '../session/session.ts'
import { t } from '../texts/index.ts'
import { RouterLink } from '../ui/AppLink.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import {
  secondaryGroup,
  groupsFor,
  isPathWithin,
  mainGroups,
  settingsGroups,
  type Destination,
  type DestinationGroup,
} from './destinations.ts'
import styles from './shell.module.css'

const SidebarPages = onDemand(() =>
  import('../pages/wiki/tree/SidebarPages.tsx').then(({ SidebarPages }) => SidebarPages),
)

interface SidebarProps {
  pathname: string
  isFolded: boolean
}

/** Navigation to every place, and the command menu. In the settings, only their destinations. */
export function Sidebar({ pathname, isFolded }: SidebarProps) {
  const { organization } = useSignedIn()
  return (
    <nav
      className={styles.sidebar}
      data-folded={isFolded || undefined}
      aria-label={t.app.navigation}
    >
      <div className={styles.head}>
        <RouterLink to="/" className={styles.organization} title={organization.name}>
          <span className={styles.mark} aria-hidden>
            {organization.name.trim().charAt(0).toUpperCase()}
          </span>
          <span className={styles.label} dir="auto">
            {organization.name}
          </span>
        </RouterLink>
        <AccountMenu />
      </div>
      <button
        type="button"
        className={styles.command}
        onClick={() => runCommand('app.palette')}
        title={t.app.palette.label}
      >
        <IconSearch size={16} aria-hidden />
        <span className={styles.label}>{t.app.palette.short}</span>
        <KeyCombo command="app.palette" />
      </button>
      <DestinationList pathname={pathname} />
      <PagesBeside pathname={pathname} isFolded={isFolded} />
      <div className={styles.foot}>
        {!isPathWithin('/settings', pathname) && <SettingsEntry />}
        <button
          type="button"
          className={styles.fold}
          onClick={() => runCommand('app.sidebar')}
          aria-label={t.keys.commands['app.sidebar']}
          title={tooltipOf('app.sidebar')}
        >
          <IconLayoutSidebar size={16} aria-hidden />
        </button>
      </div>
    </nav>
  )
}

/** The page tree beside a page; the screen of all pages is the tree itself. */
function PagesBeside({ pathname, isFolded }: SidebarProps) {
  const hasRoom = useMediaQuery('(min-width: 48.01em)', true, { getInitialValueInEffect: false })
  const [, section, pageId] = pathname.split('/')
  if (section !== 'pages' || !pageId || isFolded || !hasRoom) return null
  return <SidebarPages pageId={pageId} />
}

interface DestinationListProps {
  pathname: string
  /** Includes secondary places: on a phone, they are linked nowhere else. */
  includesSecondary?: boolean
}

/** The places of the app, or those of the settings while in them. */
export function DestinationList({ pathname, includesSecondary = false }: DestinationListProps) {
  const { person } = useSignedIn()
  const isInSettings = isPathWithin('/settings', pathname)
  const groups = includesSecondary ? [...mainGroups, secondaryGroup] : mainGroups
  return (
    <div className={styles.places}>
      {isInSettings && (
        <SidebarLink
          destination={{ to: '/', label: t.app.nav.leaveSettings, icon: IconArrowLeft }}
          pathname={pathname}
        />
      )}
      {groupsFor(isInSettings ? settingsGroups : groups, person.role).map((group) => (
        <EntryGroup key={group.label ?? ''} group={group} pathname={pathname} />
      ))}
    </div>
  )
}

export function SettingsEntry() {
  const { person } = useSignedIn()
  const [firstDestination] = groupsFor(settingsGroups, person.role).flatMap(
    (group) => group.destinations,
  )
  if (!firstDestination) return null
  return (
    <SidebarLink
      destination={{ to: firstDestination.to, label: t.app.nav.settings, icon: IconSettings }}
      pathname=""
    />
  )
}

function EntryGroup({ group, pathname }: { group: DestinationGroup; pathname: string }) {
  return (
    <div>
      {group.label !== undefined && (
        <span className={styles.groupLabel} aria-hidden>
          {group.label}
        </span>
      )}
      <ul className={styles.group} aria-label={group.label}>
        {group.destinations.map((destination) => (
          <li key={destination.to}>
            <SidebarLink
              destination={destination}
              pathname={pathname}
              badge={badges[destination.to]}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Badges beside the names of places, shown while they have content. */
const badges: Readonly<Record<string, ReactNode>> = {
  '/inbox': <InboxBadge />,
  '/approvals': <WaitingBadge />,
  '/chat': <ChatBadge />,
  '/time': <RunningBadge />,
}

interface EntryProps {
  destination: Destination
  pathname: string
  badge?: ReactNode
}

function SidebarLink({ destination: { to, label, icon: Shape }, pathname, badge }: EntryProps) {
  return (
    <RouterLink
      to={to}
      className={styles.entry}
      aria-current={isPathWithin(to, pathname) ? 'page' : undefined}
      title={label}
    >
      <Shape size={17} stroke={1.7} aria-hidden />
      <span className={styles.label}>{label}</span>
      {badge}
    </RouterLink>
  )
}
