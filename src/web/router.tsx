import { Center, Stack, Text, Title } from '@mantine/core'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type AnyRoute,
  type ParsedLocation,
} from '@tanstack/react-router'
import { loadPart } from './api/parts.ts'
import { queries } from './api/queries.ts'
import { activityRoutes } from './pages/activity/routes.ts'
import { assistantRoutes } from './pages/assistants/routes.ts'
import { calendarRoutes } from './pages/calendar/routes.ts'
import { chatRoutes } from './pages/chat/routes.ts'
import { companyRoutes } from './pages/company/routes.ts'
import { connectRoutes } from './pages/connect/routes.ts'
import { driveRoutes } from './pages/drive/routes.ts'
import { enterRoutes } from './pages/enter/routes.ts'
import { homeRoutes } from './pages/home/routes.ts'
import { inboxRoutes } from './pages/inbox/routes.ts'
import { meetingRoutes } from './pages/meetings/routes.ts'
import { itemRoutes } from './pages/items/routes.ts'
import { keyRoutes } from './pages/keys/routes.ts'
import { mailRoutes } from './pages/mail/routes.ts'
import { peopleRoutes } from './pages/people/routes.ts'
import { planningRoutes } from './pages/planning/routes.ts'
import { searchRoutes } from './pages/search/routes.ts'
import { securityRoutes } from './pages/security/routes.ts'
import { settingsRoutes } from './pages/settings/routes.ts'
import { taskRoutes } from './pages/tasks/routes.ts'
import { wikiRoutes } from './pages/wiki/routes.ts'
import { readSession, sessionKey, signInAddress } from './session/session.ts'
import { t } from './texts/index.ts'
import { NotFound } from './ui/NotFound.tsx'
import { Loading, Problem } from './ui/states.tsx'

const root: AnyRoute = createRootRoute({ component: Outlet })

/** Pages for signed-in people; others are redirected to the sign-in page and back. */
const app: AnyRoute = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: lazyRouteComponent(() => loadPart(() => import('./shell/Shell.tsx')), 'Shell'),
  beforeLoad: async ({ location }: { location: ParsedLocation }) => {
    const session = await queries.ensureQueryData({ queryKey: sessionKey, queryFn: readSession })
    if (!session.signed_in) throw redirect({ href: signInAddress(location.href, session.hasEnded) })
  },
})

const routes = (parent: AnyRoute, ...builders: ((parent: AnyRoute) => AnyRoute[])[]) =>
  builders.flatMap((item) => item(parent))

// Routes by address only: their types would give every link its own type.
const tree = root.addChildren([
  app.addChildren(
    routes(
      app,
      homeRoutes,
      inboxRoutes,
      mailRoutes,
      calendarRoutes,
      activityRoutes,
      assistantRoutes,
      keyRoutes,
      securityRoutes,
      settingsRoutes,
      searchRoutes,
      taskRoutes,
      planningRoutes,
      chatRoutes,
      driveRoutes,
      wikiRoutes,
      companyRoutes,
      meetingRoutes,
      peopleRoutes,
      itemRoutes,
    ),
  ),
  ...enterRoutes(root),
  ...connectRoutes(root),
]) as AnyRoute

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => (
    <Center p="xl">
      <Stack maw={560}>
        <Title order={1}>{t.app.crash.title}</Title>
        <Text>{t.app.crash.text}</Text>
        <Problem error={error} retry={reset} />
      </Stack>
    </Center>
  ),
  defaultNotFoundComponent: NotFound,
})
