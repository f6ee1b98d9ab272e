import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { runCommand } from '../../../keys/commands.ts'
import { t } from '../../../texts/index.ts'
import { ButtonMenu } from '../../../ui/actions/ButtonMenu.tsx'
import type { ButtonMenuProps } from '../../../ui/actions/MenuButton.tsx'
import { useCustomFields } from '../filter/custom-choices.tsx'
import { exportTasks } from '../views/export.ts'
import { savedInput } from '../views/saved.ts'
import { groupings, sorts, useView } from './view.ts'

const check = <IconCheck size={14} aria-hidden />

/** Menu for grouping and sorting the tasks; also exports them as a file, if the server supports the same filter. */
export function DisplayMenu({ button }: ButtonMenuProps) {
  const { view, change } = useView()
  const fields = useCustomFields()
  const exportInput = savedInput(view, (name) => fields.get(name)?.type)
  return (
    <ButtonMenu button={button} width={210} closeOnItemClick={false}>
      <Menu.Label>{t.tasks.groupBy}</Menu.Label>
      <Choice
        options={groupings}
        selected={view.group}
        text={(group) => t.tasks.groupings[group]}
        choose={(group) => change({ group })}
      />
      <Menu.Divider />
      <Menu.Label>{t.tasks.sortBy}</Menu.Label>
      <Choice
        options={sorts}
        selected={view.sort}
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
      <Menu.Divider />
      <Menu.Item closeMenuOnClick onClick={() => setTimeout(() => runCommand('task.import'))}>
        {t.keys.commands['task.import']}
      </Menu.Item>
      {exportInput && (
        <Menu.Item closeMenuOnClick onClick={() => void exportTasks(exportInput.filter)}>
          {t.tasks.export}
        </Menu.Item>
      )}
    </ButtonMenu>
  )
}

interface ChoiceProps<T extends string> {
  options: readonly T[]
  selected: T
  text: (option: T) => string
  choose: (option: T) => void
}

/** A choice between options. */
function Choice<T extends string>({ options, selected, text, choose }: ChoiceProps<T>) {
  return (
    <Menu.RadioGroup value={selected}>
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
