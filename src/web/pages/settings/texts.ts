import { accounts } from '../../texts/en/settings/accounts.ts'
import { organization } from '../../texts/en/settings/organization.ts'
import { programs } from '../../texts/en/settings/programs.ts'
import { shortcuts } from '../../texts/en/settings/shortcuts.ts'
import { singleSignOn } from '../../texts/en/settings/single-sign-on.ts'
import { trash } from '../../texts/en/settings/trash.ts'
import { t as shared } from '../../texts/index.ts'

/** Texts of the settings: loaded with them, not with the app. */
export const settingsTexts = {
  app: shared.app,
  items: shared.items,
  keys: shared.keys,
  accounts,
  organization,
  programs,
  shortcuts,
  singleSignOn,
  trash,
}
