import type { Row } from '../../../records/resource.ts'
import type { EmailRow, FolderRow } from './store.ts'

/** A push with its message, and the message's location on the server. */
export interface PendingPush {
  push: Row<'mail_pushes'>
  email: EmailRow | undefined
  location: { folder: FolderRow; uid: number } | undefined
}
