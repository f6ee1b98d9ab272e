import { signingKey } from '../../files/signed-links.ts'
import type { App } from '../app.ts'

/** What signs the state of a call that waits for approval while its client has it. */
export function stateKey({ settings }: Pick<App, 'settings'>): Buffer {
  return signingKey(settings.data, 'calls that wait for approval')
}
