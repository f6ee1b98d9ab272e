import { incidentTexts as words } from '../../texts/en/company/incidents.ts'
import { PageTabs } from './PlaceTabs.tsx'

const tabs = [
  { to: '/incidents', label: words.tabs.incidents },
  { to: '/on-call', label: words.tabs.onCall },
  { to: '/services', label: words.tabs.services },
  { to: '/runbooks', label: words.tabs.runbooks },
] as const

/** Incidents and related pages. */
export function ResponseTabs() {
  return <PageTabs label={words.tabs.label} tabs={tabs} />
}
