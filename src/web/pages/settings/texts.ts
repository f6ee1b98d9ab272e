import { accounts } from '../../texts/en/accounts.ts'
import { organization } from '../../texts/en/organization.ts'
import { programs } from '../../texts/en/programs.ts'
import { singleSignOn } from '../../texts/en/single-sign-on.ts'
import { t as shared } from '../../texts/index.ts'

/** What the settings say: loaded with them, not with the app. */
export const settingsTexts = { app: shared.app, accounts, organization, programs, singleSignOn }
