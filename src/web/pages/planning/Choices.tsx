import type { Icon } from '@tabler/icons-react'
import type { CommandId } from '../../keys/keymap.ts'
import { tooltipOf } from '../../keys/tooltip.ts'
import styles from './planning.module.css'

interface ChoicesProps<C extends string> {
  label: string
  choices: readonly C[]
  selected: C
  choose: (choice: C) => void
  names: Readonly<Record<C, string>>
  /** Icons shown in place of the names. */
  icons?: Readonly<Record<C, Icon>>
  /** The keyboard command for choosing. */
  command?: CommandId
}

/** A row of buttons for a single choice. */
export function Choices<C extends string>(props: ChoicesProps<C>) {
  const { label, choices, selected, choose, names, icons, command } = props
  return (
    <fieldset className={styles.choices} aria-label={label}>
      {choices.map((choice) => {
        const Shape: Icon | undefined = icons?.[choice]
        return (
          <button
            key={choice}
            type="button"
            className={styles.button}
            data-plain
            aria-pressed={choice === selected}
            aria-label={Shape && names[choice]}
            title={command && tooltipOf(command, names[choice])}
            onClick={() => choose(choice)}
          >
            {Shape ? <Shape size={15} aria-hidden /> : names[choice]}
          </button>
        )
      })}
    </fieldset>
  )
}
