import { IconDots, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { runCommand } from '../keys/commands.ts'
import { t } from '../texts/index.ts'
import { RouterLink } from '../ui/AppLink.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { bottom, isAt, type Destination } from './destinations.ts'
import { Places, SettingsEntry } from './Sidebar.tsx'
import styles from './shell.module.css'

/** The navigation on a phone. */
export function BottomBar({ pathname }: { pathname: string }) {
  const [openAt, setOpenAt] = useState<string>()
  const isOpen = openAt === pathname // going somewhere closes it
  const close = () => setOpenAt(undefined)
  return (
    <>
      <nav className={styles.bottom} aria-label={t.app.navigation}>
        {bottom.before.map((destination) => (
          <Tab key={destination.to} destination={destination} pathname={pathname} />
        ))}
        <button type="button" className={styles.tab} onClick={() => runCommand('task.create')}>
          <IconPlus size={20} aria-hidden />
          {isAt('/calendar', pathname) ? t.keys.commands['calendar.create'] : t.tasks.create.short}
        </button>
        {bottom.after.map((destination) => (
          <Tab key={destination.to} destination={destination} pathname={pathname} />
        ))}
        <button type="button" className={styles.tab} onClick={() => setOpenAt(pathname)}>
          <IconDots size={20} aria-hidden />
          {t.app.nav.more}
        </button>
      </nav>
      <Dialog isOpen={isOpen} close={close} title={t.app.nav.all}>
        <div className={styles.sheet}>
          <Places pathname={pathname} hasAll />
          {!isAt('/settings', pathname) && <SettingsEntry />}
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
      aria-current={isAt(to, pathname) ? 'page' : undefined}
    >
      <Shape size={20} stroke={1.7} aria-hidden />
      {label}
    </RouterLink>
  )
}
