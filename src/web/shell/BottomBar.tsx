import { IconDots, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { runCommand } from '../keys/commands.ts'
import { t } from '../texts/index.ts'
import { RouterLink } from '../ui/AppLink.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { bottomTabs, isPathWithin, type Destination } from './destinations.ts'
import { DestinationList, SettingsEntry } from './Sidebar.tsx'
import styles from './shell.module.css'

/** The navigation on a phone. */
export function BottomBar({ pathname }: { pathname: string }) {
  const [openPathname, setOpenPathname] = useState<string>()
  const isOpen = openPathname === pathname // navigation closes it
  const close = () => setOpenPathname(undefined)
  return (
    <>
      <nav className={styles.bottom} aria-label={t.app.navigation}>
        {bottomTabs.before.map((destination) => (
          <Tab key={destination.to} destination={destination} pathname={pathname} />
        ))}
        <button type="button" className={styles.tab} onClick={() => runCommand('task.create')}>
          <IconPlus size={20} aria-hidden />
          {isPathWithin('/calendar', pathname)
            ? t.keys.commands['calendar.create']
            : t.tasks.create.short}
        </button>
        {bottomTabs.after.map((destination) => (
          <Tab key={destination.to} destination={destination} pathname={pathname} />
        ))}
        <button type="button" className={styles.tab} onClick={() => setOpenPathname(pathname)}>
          <IconDots size={20} aria-hidden />
          {t.app.nav.more}
        </button>
      </nav>
      <Dialog isOpen={isOpen} close={close} title={t.app.nav.all}>
        <div className={styles.sheet}>
          <DestinationList pathname={pathname} includesSecondary />
          {!isPathWithin('/settings', pathname) && <SettingsEntry />}
        </div>
      </Dialog>
    </>
  )
}

function Tab({
  destination: { to, label, icon: Shape },
  pathname,
}: {
  destination: Destination
  pathname: string
}) {
  return (
    <RouterLink
      to={to}
      className={styles.tab}
      aria-current={isPathWithin(to, pathname) ? 'page' : undefined}
    >
      <Shape size={20} stroke={1.7} aria-hidden />
      {label}
    </RouterLink>
  )
}
