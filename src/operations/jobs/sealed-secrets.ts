import type { App } from '../app.ts'
import type { SealedOf } from './job.ts'

/** Access to sealed secrets for work outside of transactions. */
export function sealedOf({ secrets, store }: Pick<App, 'secrets' | 'store'>): SealedOf {
  return {
    read: (table, { id, org_id }, column) =>
      secrets.read(store.read, { org_id, table, row_id: id, column }),
  }
}
