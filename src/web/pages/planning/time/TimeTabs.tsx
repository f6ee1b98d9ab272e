import { t } from '../../../texts/index.ts'
import { PageTabs } from '../../company/PlaceTabs.tsx'

/** The reader's time, and the report on all visible time. */
export function TimeTabs() {
  const { tabs, title } = t.planning.time
  return (
    <PageTabs
      label={tabs.label}
      tabs={[
        { to: '/time', label: title },
        { to: '/time/report', label: tabs.report },
      ]}
    />
  )
}
