import { post } from '../../api/client.ts'
import { errorMessage } from '../../api/problem.ts'
import { notify } from '../../store/index.ts'
import { confirm } from '../../ui/confirm.tsx'
import { useRefreshKeys, type Key } from '../keys/keys.ts'
import { assistantTexts as t } from './texts.ts'

type KeyRef = Pick<Key, 'id' | 'name'>
export type LostRight = 'read_only' | 'hold_outbound' | 'no_admin'

/** Pauses and resumes keys, and reduces their rights; key data is reloaded. */
export function useKeyActions() {
  const refresh = useRefreshKeys()
  const run = async (request: () => Promise<unknown>, text: string, undo?: () => void) => {
    try {
      await request()
      notify({
        text,
        seconds: 6,
        actions: undo ? [{ label: t.app.sync.undo, run: undo }] : [],
      })
    } catch (error) {
      notify({ text, problem: errorMessage(error), seconds: 0, actions: [] })
    }
    await refresh()
  }
  const resume = ({ id, name }: KeyRef): Promise<void> =>
    run(() => post('/web/api-keys/:id/resume', { id }), t.assistants.resumed(name))
  const pause = ({ id, name }: KeyRef): Promise<void> =>
    run(
      () => post('/web/api-keys/:id/pause', { id }),
      t.assistants.paused(name),
      () => void resume({ id, name }),
    )
  const narrow = async ({ id, name }: KeyRef, right: LostRight): Promise<void> => {
    const { title, text, action } = t.assistants.narrow
    if (!(await confirm({ title, text: text(name, t.assistants.narrowings[right]), action })))
      return
    await run(
      () => post('/web/api-keys/:id/narrow', { id, [right]: true }),
      t.assistants.narrowed(name, t.assistants.narrowings[right]),
    )
  }
  return { pause, resume, narrow }
}
