import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { t } from '../../../texts/index.ts'
import { ButtonMenu } from '../../../ui/actions/ButtonMenu.tsx'
import type { ButtonMenuProps } from '../../../ui/actions/MenuButton.tsx'
import { groupings, sorts, useView } from './view.ts'

const check = <IconCheck size={14} aria-hidden />

/** How the tasks are grouped and sorted. */
export function DisplayMenu({ button }: ButtonMenuProps) {
  const { view, change } = useView()
  return (
    <ButtonMenu button={button} width={210} closeOnItemClick={false}>
      <Menu.Label>{t.tasks.groupBy}</Menu.Label>
      <Choice
        options={groupings}
        chosen={view.group}
        text={(group) => t.tasks.groupings[group]}
        choose={(group) => change({ group })}
      />
      <Menu.Divider />
      <Menu.Label>{t.tasks.sortBy}</Menu.Label>
      <Choice
        options={sorts}
        chosen={view.sort}
        text={(sort) => t.tasks.sorts[sort]}
        choose={(sort) => change({ sort })}
      />
      <Menu.Divider />
      <Menu.CheckboxItem
        checked={view.closed}
        checkIcon={check}
        onChange={(closed) => change({ closed })}
      >
        {t.tasks.showClosed}
      </Menu.CheckboxItem>
    </ButtonMenu>
  )
}

interface ChoiceProps<T extends string> {
  options: readonly T[]
  chosen: T
  text: (option: T) => string
  choose: (option: T) => void
}

/** One of some options. */
function Choice<T extends string>({ options, chosen, text, choose }: ChoiceProps<T>) {
  return (
    <Menu.RadioGroup value={chosen}>
      {options.map((option) => (
        <Menu.RadioItem
          key={option}
          value={option}
          checkIcon={check}
          onChange={() => choose(option)}
        >
          {text(option)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
