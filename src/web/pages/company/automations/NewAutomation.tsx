import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { automationTexts as words } from '../../../texts/en/company/automations.ts'
import { useDraft } from '../../../ui/drafts.ts'
import { Page } from '../../../ui/Page.tsx'
import { Problem } from '../../../ui/states.tsx'
import { focusOnMount } from '../../../ui/work/focus.ts'
import planning from '../../planning/planning.module.css'
import styles from './automations.module.css'
import { createAutomation } from './data.ts'
import { PlanEditor } from './plan/PlanEditor.tsx'
import { emptyPlan } from './plan/plan.ts'
import { WebhookAddress } from './WebhookAddress.tsx'

/** Creates an automation from a name and actions. It is off until turned on. */
export function NewAutomation() {
  const navigate = useNavigate()
  const [created, setCreated] = useState<{ id: string; address: string | undefined }>()
  const [problem, setProblem] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const [plan, setPlan] = useDraft('automation', emptyPlan, (draft) => (created ? '' : draft))
  const isReady = plan.name.trim() !== '' && plan.actions.length > 0 && !isBusy
  const openPage = () => created && void navigate({ to: `/automations/${created.id}` })
  const save = async () => {
    setBusy(true)
    const outcome = await createAutomation(plan)
    setBusy(false)
    if (!outcome) return
    if ('refused' in outcome) return setProblem(outcome.refused)
    const { id, webhook_url: address } = outcome.saved
    setCreated({ id, address })
  }
  useEffect(() => {
    if (created && created.address === undefined)
      void navigate({ to: `/automations/${created.id}` })
  }, [created, navigate])
  useCommands({
    'automation.save': isReady ? () => void save() : undefined,
    'list.back': () => void navigate({ to: '/automations', search: {} }),
  })
  return (
    <Page
      title={words.create}
      isWide
      actions={
        <button
          type="button"
          className={planning.primary}
          disabled={!isReady}
          onClick={() => void save()}
        >
          {words.save}
        </button>
      }
    >
      {problem && <Problem error={problem} />}
      <input
        ref={focusOnMount}
        className={styles.name}
        value={plan.name}
        onChange={(event) => setPlan({ ...plan, name: event.currentTarget.value })}
        placeholder={words.name}
        aria-label={words.name}
        maxLength={500}
        autoComplete="off"
        dir="auto"
      />
      <PlanEditor problem={problem} plan={plan} change={setPlan} />
      {created?.address !== undefined && (
        <WebhookAddress address={created.address} close={openPage} />
      )}
    </Page>
  )
}
