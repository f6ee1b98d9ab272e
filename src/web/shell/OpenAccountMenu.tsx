import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import {
  IconCheck,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSun,
} from '@tabler/icons-react'
import { runCommand } from '../keys/commands.ts'
import { KeyCombo } from '../keys/KeyCombo.tsx'
import { useSignedIn } from '../session/session.ts'
import { t } from '../texts/index.ts'
import { ButtonMenu } from '../ui/actions/ButtonMenu.tsx'
import type { ButtonMenuProps } from '../ui/actions/MenuButton.tsx'
import styles from './shell.module.css'

const schemes: readonly [MantineColorScheme, string, typeof IconSun][] = [
  ['light', t.app.theme.light, IconSun],
  ['dark', t.app.theme.dark, IconMoon],
  ['auto', t.app.theme.auto, IconDeviceDesktop],
]

/** Account menu: appearance, keys, and signing out. */
export function OpenAccountMenu({ button }: ButtonMenuProps) {
  const { person } = useSignedIn()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <ButtonMenu button={button} width={232}>
      <div className={styles.person}>
        <strong dir="auto">{person.name}</strong>
        <span>{person.email}</span>
      </div>
      <Menu.Divider />
      <Menu.Label>{t.app.theme.label}</Menu.Label>
      {schemes.map(([scheme, label, Shape]) => (
        <Menu.Item
          key={scheme}
          leftSection={<Shape size={16} aria-hidden />}
          onClick={() => setColorScheme(scheme)}
          rightSection={colorScheme === scheme && <IconCheck size={14} aria-hidden />}
          aria-current={colorScheme === scheme || undefined}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconKeyboard size={16} aria-hidden />}
        rightSection={<KeyCombo command="app.help" />}
        onClick={() => setTimeout(() => runCommand('app.help'))}
      >
        {t.keys.title}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconLogout size={16} aria-hidden />}
        onClick={() => runCommand('app.signOut')}
      >
        {t.app.signOut}
      </Menu.Item>
    </ButtonMenu>
  )
}
