import { accounts } from '../../texts/en/settings/accounts.ts'
import { organization } from '../../texts/en/settings/organization.ts'
import { programs } from '../../texts/en/settings/programs.ts'
import { singleSignOn } from '../../texts/en/settings/single-sign-on.ts'
import { t as shared } from '../../texts/index.ts'

/** What the settings say: loaded with them, not with the app. */
export const settingsTexts = { app: shared.app, accounts, organization, programs, singleSignOn }
