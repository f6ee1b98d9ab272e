import { z } from 'zod'
import { markdown, secret, shortText } from '../../../kernel/fields.ts'
import { mailAccount } from '../../accounts/access.ts'
import { file } from '../../drive/access.ts'

// Common arguments of sending, scheduling and drafting.

export const addresses = (about: string) =>
  secret(z.array(z.string().min(1).max(600)).max(100)).describe(about)
/** Recipients and subjects are private: they are omitted from the call log, which administrators can read. */
export const subjectLine = () => secret(shortText(900))
export const attachedFiles = file.see.many.maybe
  .named('attachment_file_ids')
  .describe('drive files to attach')
export const sendingAccount = mailAccount.maybe.describe(
  'the account to send from; default: the default one',
)
export const bodyText = () =>
  markdown().describe('Markdown; sent as text and HTML, with the signature of the account')
