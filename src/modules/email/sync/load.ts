import type { Row } from '../../../records/resource.ts'
import type { EmailRow, FolderRow } from './store.ts'

/** A push with the message that it is about, and where the server has that. */
export interface Load {
  push: Row<'mail_pushes'>
  email: EmailRow | undefined
  at: { folder: FolderRow; uid: number } | undefined
}
