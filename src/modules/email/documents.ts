import { document } from '../../operations/documents.ts'
import { mailThread } from './access.ts'
import { textOfThread } from './document-text.ts'

export const threadDocument = document({
  name: 'email-threads',
  title: 'Email thread',
  about:
    'One conversation of your own mail by its id: its messages without quoted text, its drafts and linked items',
  resource: mailThread,
  read: { operation: 'get_email_thread', argument: 'thread_id' },
  searchedColumns: ['mail_threads.subject'],
  text: textOfThread,
})
