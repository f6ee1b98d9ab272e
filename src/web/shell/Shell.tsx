import { useMantineColorScheme } from '@mantine/core'
import { useLocalStorage, useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useCommands, useKeyListener, type CommandHandlers } from '../keys/commands.ts'
import { KeyHelp } from '../keys/KeyHelp.tsx'
import { setCustomKeys } from '../keys/own-keys.ts'
import { openImport, useOpenImport } from '../pages/imports/open.ts'
import { openTaskForm, useTaskFormStart } from '../pages/tasks/create/open.ts'
import { openTemplateDialog, useTemplateDialog } from '../pages/tasks/templates/open.ts'
import { Verify } from '../session/Verify.tsx'
import { useSignedIn, useSignOut } from '../session/session.ts'
import { redoLast, undoLast } from '../store/index.ts'
import { t } from '../texts/index.ts'
import { fieldOnDemand, preloadParts, onDemand } from '../ui/on-demand.tsx'
import { BottomBar } from './BottomBar.tsx'
import { destinationsFor } from './destinations.ts'
import { Palette } from './Palette.tsx'
import styles from './shell.module.css'
import { Sidebar } from './Sidebar.tsx'

const QuickAdd = fieldOnDemand(() =>
  import('../pages/tasks/create/QuickAdd.tsx').then(({ QuickAdd }) => QuickAdd),
)

const TemplateDialogs = onDemand(() =>
  import('../pages/tasks/templates/TemplateDialogs.tsx').then(
    ({ TemplateDialogs }) => TemplateDialogs,
  ),
)

const ImportDialogs = onDemand(() =>
  import('../pages/imports/ImportDialogs.tsx').then(({ ImportDialogs }) => ImportDialogs),
)

/** Frame around every page of signed-in people. */
export function Shell() {
  const { pathname } = useLocation()
  const { online } = useNetwork()
  const content = useRef<HTMLElement>(null)
  const previousPathname = useRef(pathname)
  const [isFolded, setFolded] = useLocalStorage({
    key: 'workspace.sidebar-folded',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  useKeyListener()
  useCustomShortcuts()
  useAppCommands(() => setFolded((folded) => !folded))
  useEffect(preloadParts, [])
  const isCreating = useTaskFormStart() !== undefined
  const hasTemplates = useTemplateDialog() !== undefined
  const isImporting = useOpenImport() !== undefined
  useEffect(() => {
    if (previousPathname.current !== pathname) content.current?.focus({ preventScroll: true }) // as after a page load
    previousPathname.current = pathname
  }, [pathname])
  return (
    <div className={styles.shell} data-folded={isFolded || undefined}>
      <a className="skip-link" href="#content">
        {t.app.skip}
      </a>
      <Sidebar pathname={pathname} isFolded={isFolded} />
      <main id="content" ref={content} tabIndex={-1} className={styles.main}>
        {!online && (
          <p className={styles.offline} role="status">
            <IconWifiOff size={16} aria-hidden />
            {t.app.offline}
          </p>
        )}
        <Outlet />
      </main>
      <BottomBar pathname={pathname} />
      <Palette />
      <KeyHelp />
      {isCreating && <QuickAdd />}
      {hasTemplates && <TemplateDialogs />}
      {isImporting && <ImportDialogs />}
      <Verify />
    </div>
  )
}

/** Applies the person's custom keys in every browser. */
function useCustomShortcuts(): void {
  const { shortcuts } = useSignedIn()
  useLayoutEffect(() => setCustomKeys(shortcuts), [shortcuts])
}

function useAppCommands(toggleSidebar: () => void): void {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { person } = useSignedIn()
  const { toggleColorScheme } = useMantineColorScheme()
  const navigationCommands: CommandHandlers = Object.fromEntries(
    destinationsFor(person.role).flatMap(({ to, command }) =>
      command === undefined ? [] : [[command, () => void navigate({ to })]],
    ),
  )
  useCommands({
    ...navigationCommands,
    'app.theme': toggleColorScheme,
    'app.sidebar': toggleSidebar,
    'app.signOut': () => void signOut(),
    'app.undo': () => void undoLast(),
    'app.redo': () => void redoLast(),
    'task.create': () => openTaskForm({}),
    'incident.declare': () => void navigate({ to: '/incidents', search: { declare: true } }),
    'reminder.create': () => void navigate({ to: '/', search: { remind: true } }),
    'task.fromTemplate': () => openTemplateDialog({}),
    'task.import': () => openImport({ kind: 'tasks' }),
  })
}
