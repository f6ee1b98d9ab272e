import { useMantineColorScheme } from '@mantine/core'
import { useLocalStorage, useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useCommands, useKeyListener, type CommandRuns } from '../keys/commands.ts'
import { KeyHelp } from '../keys/KeyHelp.tsx'
import { setOwnKeys } from '../keys/own-keys.ts'
import { openImport, useImportWork } from '../pages/imports/open.ts'
import { createTask, useCreation } from '../pages/tasks/create/open.ts'
import { createFromTemplate, useTemplateWork } from '../pages/tasks/templates/open.ts'
import { Verify } from '../session/Verify.tsx'
import { useSignedIn, useSignOut } from '../session/session.ts'
import { redoLast, undoLast } from '../store/index.ts'
import { t } from '../texts/index.ts'
import { fieldOnDemand, loadAtLeisure, onDemand } from '../ui/on-demand.tsx'
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
  const before = useRef(pathname)
  const [isFolded, setFolded] = useLocalStorage({
    key: 'workspace.sidebar-folded',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  useKeyListener()
  useKeysOfPerson()
  useAppCommands(() => setFolded((folded) => !folded))
  useEffect(loadAtLeisure, [])
  const isCreating = useCreation() !== undefined
  const hasTemplates = useTemplateWork() !== undefined
  const isImporting = useImportWork() !== undefined
  useEffect(() => {
    if (before.current !== pathname) content.current?.focus({ preventScroll: true }) // as if the page had been loaded
    before.current = pathname
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
function useKeysOfPerson(): void {
  const { shortcuts } = useSignedIn()
  useLayoutEffect(() => setOwnKeys(shortcuts), [shortcuts])
}

function useAppCommands(toggleSidebar: () => void): void {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { person } = useSignedIn()
  const { toggleColorScheme } = useMantineColorScheme()
  const places: CommandRuns = Object.fromEntries(
    destinationsFor(person.role).flatMap(({ to, command }) =>
      command === undefined ? [] : [[command, () => void navigate({ to })]],
    ),
  )
  useCommands({
    ...places,
    'app.theme': toggleColorScheme,
    'app.sidebar': toggleSidebar,
    'app.signOut': () => void signOut(),
    'app.undo': () => void undoLast(),
    'app.redo': () => void redoLast(),
    'task.create': () => createTask({}),
    'incident.declare': () => void navigate({ to: '/incidents', search: { declare: true } }),
    'reminder.create': () => void navigate({ to: '/', search: { remind: true } }),
    'task.fromTemplate': () => createFromTemplate({}),
    'task.import': () => openImport({ kind: 'tasks' }),
  })
}
