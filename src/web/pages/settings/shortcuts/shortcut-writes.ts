import { useQueryClient } from '@tanstack/react-query'
import { post } from '../../../api/client.ts'
import { bindingOf as keymapOf, commandIds } from '../../../keys/keymap.ts'
import { setCustomKeys, type CustomKeys } from '../../../keys/own-keys.ts'
import { sessionKey, type SessionState } from '../../../session/session.ts'

type SaveKeys = (changes: Readonly<Record<string, readonly string[] | null>>) => Promise<void>

/** Saves custom keys for the person; null: the defaults. Applied here as soon as the server has them. */
export function useSaveKeys(): SaveKeys {
  const client = useQueryClient()
  return async (changes) => {
    const requestChanges = Object.fromEntries(
      Object.entries(changes).map(([id, keys]) => [
        id,
        keys && !isDefault(id, keys) ? [...keys] : null,
      ]),
    )
    const { shortcuts } = await post('/web/shortcuts', { changes: requestChanges })
    setCustomKeys(shortcuts)
    client.setQueryData<SessionState>(sessionKey, (state) =>
      state?.signed_in ? { ...state, shortcuts } : state,
    )
  }
}

/** True if these are the command's default keys. */
function isDefault(id: string, keys: readonly string[]): boolean {
  const commandId = commandIds.find((command) => command === id)
  return commandId !== undefined && String(keymapOf(commandId).keys) === String(keys)
}

/** Resets all customized commands to the default keys. */
export const resetChanges = (ownKeys: CustomKeys) =>
  Object.fromEntries(Object.keys(ownKeys).map((id) => [id, null]))
