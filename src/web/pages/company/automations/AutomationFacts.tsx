import { automationTexts as words } from '../../../texts/en/company/automations.ts'
import { FieldList, PlainField } from '../../../ui/work/fields.tsx'
import { shareAutomation } from './data.ts'
import styles from './automations.module.css'
import type { AutomationRow } from './plan/plan.ts'
import { AutomationIcon } from './states.tsx'

interface AutomationFactsProps {
  automation: AutomationRow
  isOwn: boolean
}

export function AutomationFacts({ automation, isOwn }: AutomationFactsProps) {
  const { status, owner, project, run_counts: counts, shared, outbound } = automation
  return (
    <FieldList>
      <PlainField label={words.status}>
        <AutomationIcon status={status} /> {words.states[status]}
      </PlainField>
      <PlainField label={words.owner}>
        <span dir="auto">{owner.title}</span>
      </PlainField>
      {project && (
        <PlainField label={words.project}>
          <span dir="auto">{project.title}</span>
        </PlainField>
      )}
      <PlainField label={words.results}>
        {words.counts(counts.succeeded, counts.failed, counts.skipped)}
      </PlainField>
      {outbound && <PlainField label={words.outbound}>{words.outboundText}</PlainField>}
      <PlainField label={words.shared}>
        <label className={styles.check} title={words.sharedText}>
          <input
            type="checkbox"
            checked={shared}
            disabled={!isOwn}
            onChange={(event) => void shareAutomation(automation, event.currentTarget.checked)}
          />
          {words.sharedText}
        </label>
      </PlainField>
    </FieldList>
  )
}
