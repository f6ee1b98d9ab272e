import { t } from '../../../texts/index.ts'
import { PlaceTabs } from '../../company/PlaceTabs.tsx'

/** One's own time, and the report of the time of all that one may see. */
export function TimeTabs() {
  const { tabs, title } = t.planning.time
  return (
    <PlaceTabs
      label={tabs.label}
      tabs={[
        { to: '/time', label: title },
        { to: '/time/report', label: tabs.report },
      ]}
    />
  )
}
