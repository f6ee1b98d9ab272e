import { useMemo, type ReactNode } from 'react'
import { automationTexts as words } from '../../../../texts/en/company/automations.ts'
import styles from '../automations.module.css'
import { ActionList } from './ActionList.tsx'
import { namesFor, useItemFields } from './completion.ts'
import { ConditionList } from './ConditionList.tsx'
import { eventOf, type AutomationPlan } from './plan.ts'
import { PlanContext } from './plan-context.ts'
import { TriggerEditor } from './TriggerEditor.tsx'

interface PlanEditorProps {
  plan: AutomationPlan
  change: (plan: AutomationPlan) => void
  isReadOnly?: boolean
  /** Why saving failed. */
  problem?: Error | undefined
}

/** Automation as sentences: When, If, Then. */
export function PlanEditor({ plan, change, isReadOnly = false, problem }: PlanEditorProps) {
  const type = eventOf(plan.trigger)?.split('.')[0]
  const fields = useItemFields(type)
  const context = useMemo(() => ({ isReadOnly, problem }), [isReadOnly, problem])
  return (
    <PlanContext value={context}>
      <fieldset className={styles.plan} disabled={isReadOnly}>
        <Sentence title={words.when}>
          <TriggerEditor
            trigger={plan.trigger}
            change={(trigger) => change({ ...plan, trigger })}
          />
        </Sentence>
        <Sentence title={words.if}>
          <ConditionList
            conditions={plan.conditions}
            change={(conditions) => change({ ...plan, conditions })}
            fields={fields}
          />
        </Sentence>
        <Sentence title={words.then}>
          <ActionList
            actions={plan.actions}
            change={(actions) => change({ ...plan, actions })}
            names={namesFor(fields)}
            path="actions"
          />
        </Sentence>
      </fieldset>
    </PlanContext>
  )
}

function Sentence({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.sentence} aria-label={title}>
      <h2>{title}</h2>
      <div>{children}</div>
    </section>
  )
}
