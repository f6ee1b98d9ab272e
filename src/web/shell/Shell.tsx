import {
  ActionIcon,
  Alert,
  AppShell,
  Avatar,
  Box,
  Burger,
  Button,
  Group,
  Kbd,
  Menu,
  NavLink,
  ScrollArea,
  Stack,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
  type MantineColorScheme,
} from '@mantine/core'
import { useDisclosure, useNetwork } from '@mantine/hooks'
import {
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
  IconWifiOff,
} from '@tabler/icons-react'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { WaitingBadge } from '../pages/activity/WaitingBadge.tsx'
import { Verify } from '../session/Verify.tsx'
import { useSignedIn, useSignOut, type SessionRole } from '../session/session.ts'
import { t } from '../texts/index.ts'
import { RouterLink } from '../ui/AppLink.tsx'
import { main, settings, type Destination } from './destinations.ts'
import { Palette, palette } from './Palette.tsx'
import { Shortcuts, shortcutsHelp } from './Shortcuts.tsx'

/** What surrounds every page of those who are signed in. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  const { person, organization } = useSignedIn()
  const { online } = useNetwork()
  const content = useRef<HTMLElement>(null)
  const before = useRef(pathname)
  useEffect(close, [pathname, close])
  useEffect(() => {
    if (before.current !== pathname) content.current?.focus({ preventScroll: true }) // as if the page had been loaded
    before.current = pathname
  }, [pathname])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href="#content">
        {t.app.skip}
      </a>
      <AppShell.Header px="sm">
        <Group h="100%" wrap="nowrap" justify="space-between" gap="sm">
          <Group wrap="nowrap" gap="sm" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t.app.menu}
              aria-expanded={isOpen}
            />
            <RouterLink to="/" className="plain-link">
              <Text
                fw={650}
                truncate
                maw={{ base: 130, xs: 240 }}
                dir="auto"
                title={organization.name}
              >
                {organization.name}
              </Text>
            </RouterLink>
          </Group>
          <Group wrap="nowrap" gap="xs">
            <Button
              variant="default"
              size="xs"
              leftSection={<IconSearch size={14} />}
              rightSection={<Kbd size="xs">Ctrl K</Kbd>}
              onClick={palette.open}
              visibleFrom="xs"
            >
              {t.app.nav.search}
            </Button>
            <ActionIcon
              variant="default"
              size="lg"
              onClick={palette.open}
              hiddenFrom="xs"
              aria-label={t.app.nav.search}
            >
              <IconSearch size={18} />
            </ActionIcon>
            <AccountMenu name={person.name} email={person.email} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t.app.navigation}>
        <ScrollArea type="auto" h="100%">
          <Navigation pathname={pathname} role={person.role} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" ref={content} tabIndex={-1} style={{ outline: 'none' }}>
        {!online && (
          <Alert mb="md" color="yellow" icon={<IconWifiOff />} role="status">
            {t.app.offline}
          </Alert>
        )}
        <Outlet />
      </AppShell.Main>
      <Palette />
      <Shortcuts />
      <Verify />
    </AppShell>
  )
}

function Navigation({ pathname, role }: { pathname: string; role: SessionRole }) {
  return (
    <Stack gap="md">
      <Box>
        {main.map((destination) => (
          <Entry key={destination.to} of={destination} pathname={pathname} />
        ))}
      </Box>
      {settings.map((group) => {
        const shown = group.of.filter((destination) => destination.isFor?.includes(role) ?? true)
        if (shown.length === 0) return null
        return (
          <Box key={group.label} role="group" aria-label={group.label}>
            <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
              {group.label}
            </Text>
            {shown.map((destination) => (
              <Entry key={destination.to} of={destination} pathname={pathname} />
            ))}
          </Box>
        )
      })}
    </Stack>
  )
}

function Entry({
  of: { to, label, icon: Shape },
  pathname,
}: {
  of: Destination
  pathname: string
}) {
  const isHere = pathname === to || (to !== '/' && pathname.startsWith(`${to}/`))
  return (
    <NavLink
      component={RouterLink}
      to={to}
      label={label}
      leftSection={<Shape size={17} aria-hidden />}
      rightSection={to === '/approvals' && <WaitingBadge />}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      py={6}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  )
}

function AccountMenu({ name, email }: { name: string; email: string }) {
  const signOut = useSignOut()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const schemes: [MantineColorScheme, string, typeof IconSun][] = [
    ['light', t.app.theme.light, IconSun],
    ['dark', t.app.theme.dark, IconMoon],
    ['auto', t.app.theme.auto, IconDeviceDesktop],
  ]
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <Tooltip label={name}>
          <UnstyledButton>
            <Avatar name={name} radius="xl" size={34} color="initials" />
            <VisuallyHidden>{t.app.account(name)}</VisuallyHidden>
          </UnstyledButton>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Box px="sm" py="xs">
          <Text size="sm" fw={600} dir="auto">
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        </Box>
        <Menu.Divider />
        <Menu.Label>{t.app.theme.label}</Menu.Label>
        {schemes.map(([scheme, label, Shape]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Shape size={16} />}
            onClick={() => setColorScheme(scheme)}
            rightSection={colorScheme === scheme ? '✓' : undefined}
            aria-current={colorScheme === scheme || undefined}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconKeyboard size={16} />}
          rightSection={<Kbd size="xs">?</Kbd>}
          onClick={shortcutsHelp.open}
        >
          {t.app.shortcuts.title}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {t.app.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
