import { useBlocker } from '@tanstack/react-router'
import { keyTexts as t } from '../texts.ts'
import { confirm } from '../../../ui/confirm.tsx'

/** Prevents accidentally leaving a page that shows something only once. */
export function useLeaveConfirmation(isShown = true): void {
  useBlocker({
    shouldBlockFn: async () => !(await confirm(t.keys.made.leave)),
    disabled: !isShown,
    enableBeforeUnload: isShown,
  })
}
