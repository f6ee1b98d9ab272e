import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { t } from '../../../texts/index.ts'
import { ButtonMenu } from '../../../ui/actions/ButtonMenu.tsx'
import type { ButtonMenuProps } from '../../../ui/actions/MenuButton.tsx'
import { groupings, sorts, useView } from './view.ts'

/** How the tasks are grouped and sorted. */
export function DisplayMenu({ button }: ButtonMenuProps) {
  const { view, change } = useView()
  return (
    <ButtonMenu button={button} width={210} closeOnItemClick={false}>
      <Menu.Label>{t.tasks.groupBy}</Menu.Label>
      {groupings.map((group) => (
        <Menu.Item
          key={group}
          role="menuitemradio"
          aria-checked={view.group === group}
          rightSection={view.group === group && <IconCheck size={14} aria-hidden />}
          onClick={() => change({ group })}
        >
          {t.tasks.groupings[group]}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Label>{t.tasks.sortBy}</Menu.Label>
      {sorts.map((sort) => (
        <Menu.Item
          key={sort}
          role="menuitemradio"
          aria-checked={view.sort === sort}
          rightSection={view.sort === sort && <IconCheck size={14} aria-hidden />}
          onClick={() => change({ sort })}
        >
          {t.tasks.sorts[sort]}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item
        role="menuitemcheckbox"
        aria-checked={view.closed}
        rightSection={view.closed && <IconCheck size={14} aria-hidden />}
        onClick={() => change({ closed: !view.closed })}
      >
        {t.tasks.showClosed}
      </Menu.Item>
    </ButtonMenu>
  )
}
