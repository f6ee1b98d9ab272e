import { IconDots } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { t } from '../texts/index.ts'
import { RouterLink } from '../ui/AppLink.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { bottom, isAt } from './destinations.ts'
import { Places, SettingsEntry } from './Sidebar.tsx'
import styles from './shell.module.css'

/** The navigation of a telephone. */
export function BottomBar({ pathname }: { pathname: string }) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [pathname])
  return (
    <>
      <nav className={styles.bottom} aria-label={t.app.navigation}>
        {bottom.map(({ to, label, icon: Shape }) => (
          <RouterLink
            key={to}
            to={to}
            className={styles.tab}
            aria-current={isAt(to, pathname) ? 'page' : undefined}
          >
            <Shape size={20} stroke={1.7} aria-hidden />
            {label}
          </RouterLink>
        ))}
        <button type="button" className={styles.tab} onClick={() => setOpen(true)}>
          <IconDots size={20} aria-hidden />
          {t.app.nav.more}
        </button>
      </nav>
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={t.app.nav.all}>
        <div className={styles.sheet}>
          <Places pathname={pathname} />
          {!isAt('/settings', pathname) && <SettingsEntry />}
        </div>
      </Dialog>
    </>
  )
}
