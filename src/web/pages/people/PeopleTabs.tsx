import { peopleTexts } from '../../texts/en/company/people.ts'
import { PageTabs } from '../company/PlaceTabs.tsx'

const { tabs: words } = peopleTexts
const tabs = [
  { to: '/people', label: words.people },
  { to: '/people/experts', label: words.experts },
  { to: '/time-off', label: words.timeOff },
] as const

/** Colleagues, and absences. */
export function PeopleTabs() {
  return <PageTabs label={words.label} tabs={tabs} />
}
