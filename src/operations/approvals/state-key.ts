import { signingKey } from '../../files/signed-links.ts'
import type { App } from '../app.ts'

/** Key that signs the state of a call waiting for approval while its client holds it. */
export function stateKey({ settings }: Pick<App, 'settings'>): Buffer {
  return signingKey(settings.data, 'calls that wait for approval')
}
