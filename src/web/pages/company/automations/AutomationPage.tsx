import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { useSignedIn } from '../../../session/session.ts'
import { automationTexts as words } from '../../../texts/en/company/automations.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { useDraft } from '../../../ui/drafts.ts'
import { Problem } from '../../../ui/states.tsx'
import { Loaded } from '../../items/Found.tsx'
import { ItemFrame } from '../../items/Frame.tsx'
import planning from '../../planning/planning.module.css'
import { AutomationFacts } from './AutomationFacts.tsx'
import styles from './automations.module.css'
import { removeAutomation, saveAutomation, setAutomationEnabled } from './data.ts'
import { PlanEditor } from './plan/PlanEditor.tsx'
import { isSamePlan, automationPlan, type AutomationRow, type AutomationPlan } from './plan/plan.ts'
import { RunDialog } from './run/RunDialog.tsx'
import { RunList } from './run/RunList.tsx'
import { TestPanel } from './run/TestPanel.tsx'
import { WebhookAddress } from './WebhookAddress.tsx'

/** The page of an automation: its description in sentences, its test, and its runs. */
export function AutomationPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const automationQuery = useOperation('get_automation', { automation_id: id })
  return (
    <Loaded query={automationQuery}>
      {(automation) => <Automation key={automation.id} automation={automation} />}
    </Loaded>
  )
}

/** Edited state of an automation; follows what others save until it is changed here. */
function usePlan(automation: AutomationRow) {
  const saved = automationPlan(automation)
  const [plan, setPlan] = useDraft<AutomationPlan>(`automation ${automation.id}`, saved)
  const lastSaved = useRef(saved)
  useEffect(() => {
    if (isSamePlan(lastSaved.current, saved)) return
    if (isSamePlan(plan, lastSaved.current)) setPlan(saved)
    lastSaved.current = saved
  })
  return { plan, setPlan, saved, isChanged: !isSamePlan(plan, saved) }
}

function Automation({ automation }: { automation: AutomationRow }) {
  const { person } = useSignedIn()
  const isOwn = automation.owner.id === person.id
  const { plan, setPlan, saved, isChanged } = usePlan(automation)
  const [problem, setProblem] = useState<Error>()
  const [address, setAddress] = useState<string>()
  const save = async (): Promise<boolean> => {
    const outcome = await saveAutomation(automation, plan)
    setProblem(outcome && 'refused' in outcome ? outcome.refused : undefined)
    if (!outcome || 'refused' in outcome) return false
    setPlan(automationPlan(outcome.saved))
    setAddress(outcome.saved.webhook_url)
    return true
  }
  const isReady = isOwn && isChanged && plan.name.trim() !== '' && plan.actions.length > 0
  useCommands({ 'automation.save': isReady ? () => void save() : undefined })
  return (
    <ItemFrame
      type="automation"
      title={automation.name}
      item={automation}
      id={automation.id}
      status={words.states[automation.status]}
      heading={
        <>
          <h1 className={planning.hidden}>{automation.name}</h1>
          <input
            className={styles.name}
            value={plan.name}
            onChange={(event) => setPlan({ ...plan, name: event.currentTarget.value })}
            aria-label={words.name}
            readOnly={!isOwn}
            maxLength={500}
            autoComplete="off"
            dir="auto"
          />
        </>
      }
      actions={<AutomationButtons automation={automation} isOwn={isOwn} isChanged={isChanged} />}
      beside={<AutomationFacts automation={automation} isOwn={isOwn} />}
    >
      {automation.reason && <p className={styles.reason}>{automation.reason}</p>}
      {!isOwn && <p className={planning.quiet}>{words.notYours}</p>}
      {problem && <Problem error={problem} />}
      <PlanEditor problem={problem} plan={plan} change={setPlan} isReadOnly={!isOwn} />
      {isChanged && (
        <div className={styles.saving} role="status">
          <span>{automation.status === 'enabled' ? words.willTurnOff : words.unsaved}</span>
          <button type="button" className={planning.button} onClick={() => setPlan(saved)}>
            {words.discard}
          </button>
          <button
            type="button"
            className={planning.primary}
            disabled={!isReady}
            onClick={() => void save()}
          >
            {words.save}
          </button>
        </div>
      )}
      {isOwn && <TestPanel automation={automation} save={isChanged ? save : undefined} />}
      <RunList id={automation.id} isOwn={isOwn} />
      {address !== undefined && (
        <WebhookAddress address={address} close={() => setAddress(undefined)} />
      )}
    </ItemFrame>
  )
}

interface ActionsProps {
  automation: AutomationRow
  isOwn: boolean
  isChanged: boolean
}

function AutomationButtons({ automation, isOwn, isChanged }: ActionsProps) {
  const navigate = useNavigate()
  const [isRunning, setRunning] = useState(false)
  const isOn = automation.status === 'enabled'
  const toggle = () => void setAutomationEnabled(automation, !isOn)
  const remove = async () => {
    const { title, text, action } = words.remove_
    if (!(await confirm({ title: title(automation.name), text, action }))) return
    if (await removeAutomation(automation)) void navigate({ to: '/automations', search: {} })
  }
  const canRun = isOwn && isOn && !isChanged
  useCommands({
    'automation.turn': isOwn && !isChanged ? toggle : undefined,
    'automation.run': canRun ? () => setRunning(true) : undefined,
    'automation.delete': isOwn ? () => void remove() : undefined,
    'list.back': () => void navigate({ to: '/automations', search: {} }),
  })
  if (!isOwn) return null
  return (
    <>
      <button
        type="button"
        className={isOn ? planning.button : planning.primary}
        disabled={isChanged}
        onClick={toggle}
      >
        {isOn ? words.turnOff : words.turnOn}
      </button>
      <button
        type="button"
        className={planning.button}
        disabled={!canRun}
        onClick={() => setRunning(true)}
      >
        {words.run}
      </button>
      <button type="button" className={planning.button} data-plain onClick={() => void remove()}>
        {words.remove_.action}
      </button>
      {isRunning && <RunDialog automation={automation} close={() => setRunning(false)} />}
    </>
  )
}
