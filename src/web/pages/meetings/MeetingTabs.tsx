import { meetingTexts as words } from '../../texts/en/company/meetings.ts'
import { PageTabs } from '../company/PlaceTabs.tsx'

const tabs = [
  { to: '/meetings', label: words.tabs.meetings },
  { to: '/decisions', label: words.tabs.decisions },
  { to: '/action-items', label: words.tabs.actions },
  { to: '/pulses', label: words.tabs.pulses },
] as const

/** Meetings, and the results of all of them. */
export function MeetingTabs() {
  return <PageTabs label={words.tabs.label} tabs={tabs} />
}
