import { z } from 'zod'
import { invalid } from '../../../kernel/refusal.ts'
import { endpoint, recordChange, type ServerEndpoint } from '../endpoint.ts'
import { CommandKeys, CommandName, Shortcuts } from '../shapes/sessions.ts'
import { changeShortcuts } from './stored.ts'

/** More than the app's number of commands. */
const maxCommands = 500

const change = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/shortcuts',
  name: 'change_shortcuts',
  about:
    'changes the keys of commands of the web app, in all your browsers: `{"task.done": ["h"]}`; null restores the default. Commands that are not named stay as they are. Returns all keys that you have changed',
  input: {
    changes: z
      .record(CommandName, CommandKeys.nullable())
      .describe('keys by the id of the command, up to 4 each'),
  },
  output: z.strictObject({ shortcuts: Shortcuts }),
  logsItself: 'success',
  handle: (input, request) => {
    const { app, actor } = request
    return app.store.writer.run(async () => {
      await app.keys.recheck(actor)
      const shortcuts = await changeShortcuts(app.store, actor.id, input.changes)
      const count = Object.keys(shortcuts).length
      if (count > maxCommands)
        throw invalid(
          'changes',
          `Keys of at most ${maxCommands} commands can be changed; these would be ${count}.`,
          'Reset some of them with null.',
        )
      await recordChange(request, input)
      return { shortcuts }
    })
  },
})

export const shortcutEndpoints: readonly ServerEndpoint[] = [change]
