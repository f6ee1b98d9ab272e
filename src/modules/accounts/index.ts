import type { Module } from '../../operations/module.ts'
import { pasteFromGoogle, returnFromGoogle, startGoogle } from './accounts-google.ts'
import { eraseAccount, removeAccount } from './accounts-removal.ts'
import { addCaldavAccount, addImapAccount, discoverServers } from './additions.ts'
import {
  changeAccount,
  disableAccount,
  enableAccount,
  enterPassword,
  listAccounts,
  testAccount,
} from './updates.ts'

export const accountsModule: Module = {
  name: 'accounts',
  about:
    'External mail, calendars and files, connected by a signed-in person and readable only by their owner. Noun: connected account.',
  operations: [],
  endpoints: [
    listAccounts,
    discoverServers,
    addImapAccount,
    addCaldavAccount,
    startGoogle,
    returnFromGoogle,
    pasteFromGoogle,
    changeAccount,
    testAccount,
    enterPassword,
    disableAccount,
    enableAccount,
    removeAccount,
  ],
  jobs: [eraseAccount],
  events: ['email_account.reauth_required'],
}
