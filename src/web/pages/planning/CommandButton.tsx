import { runCommand } from '../../keys/commands.ts'
import type { CommandId } from '../../keys/keymap.ts'
import { t } from '../../texts/index.ts'
import planning from './planning.module.css'

interface CommandButtonProps {
  command: CommandId
  /** Hidden if the bar has no room for it; the command menu still lists it. */
  isOptional?: boolean
}

/** A button without a border that runs a command and is labelled with its name. */
export function CommandButton({ command, isOptional }: CommandButtonProps) {
  return (
    <button
      type="button"
      className={planning.button}
      data-plain
      data-optional={isOptional || undefined}
      onClick={() => runCommand(command)}
    >
      {t.keys.commands[command]}
    </button>
  )
}
