import { useState } from 'react'
import type { Input, Output } from '../../../../api/client.ts'
import { useCall } from '../../../../api/queries.ts'
import { useCommands } from '../../../../keys/commands.ts'
import { KeyCombo } from '../../../../keys/KeyCombo.tsx'
import { automationTexts as words } from '../../../../texts/en/company/automations.ts'
import { ItemLink } from '../../../../ui/ItemLink.tsx'
import { Problem } from '../../../../ui/states.tsx'
import { Ago } from '../../../../ui/times.tsx'
import planning from '../../../planning/planning.module.css'
import styles from '../automations.module.css'
import type { AutomationRow } from '../plan/plan.ts'
import { RunIcon } from '../states.tsx'
import { parseItemRef } from './items.ts'
import { ValueBlock } from './ValueBlock.tsx'

type Preview = Output<'test_automation'>

const testModes = ['sample', 'item', 'replay'] as const
type TestMode = (typeof testModes)[number]
const replayDays = 7

interface TestPanelProps {
  automation: AutomationRow
  /** Saves pending changes first; returns whether that worked. Undefined if there are none. */
  save: (() => Promise<boolean>) | undefined
}

/** Tests an automation on an item or past events, and shows its effect without changing anything. */
export function TestPanel({ automation, save }: TestPanelProps) {
  const [mode, setMode] = useState<TestMode>(
    automation.trigger.type === 'event' ? 'replay' : 'sample',
  )
  const [item, setItem] = useState('')
  const [result, setResult] = useState<{ way: TestMode; preview: Preview }>()
  const test = useCall('test_automation')
  const run = async () => {
    if (save && !(await save())) return
    const input = { automation_id: automation.id, ...testInputOf(mode, item) }
    const preview = await test.mutateAsync(input).catch(() => undefined) // shown as test.error
    setResult(preview && { way: mode, preview })
  }
  useCommands({ 'automation.test': () => void run() })
  return (
    <section className={planning.section} aria-label={words.test}>
      <h2>{words.test}</h2>
      <div className={styles.parts}>
        <span>{words.testOn}</span>
        <select
          className={styles.choice}
          value={mode}
          onChange={(event) => setMode(event.currentTarget.value as TestMode)}
          aria-label={words.testOn}
        >
          {testModes.map((name) => (
            <option key={name} value={name}>
              {words.testOns[name]}
            </option>
          ))}
        </select>
        {mode === 'item' && (
          <input
            className={styles.text}
            data-short
            value={item}
            onChange={(event) => setItem(event.currentTarget.value)}
            aria-label={words.item}
            placeholder={words.item}
            maxLength={2000}
            autoComplete="off"
          />
        )}
        <button
          type="button"
          className={planning.button}
          disabled={test.isPending || (mode === 'item' && parseItemRef(item) === undefined)}
          onClick={() => void run()}
        >
          {save ? words.saveAndTest : words.test}
          <KeyCombo command="automation.test" />
        </button>
        <span className={styles.note}>{words.testText}</span>
      </div>
      {test.error && <Problem error={test.error} />}
      {result && !test.error && <Outcome mode={result.way} preview={result.preview} />}
    </section>
  )
}

function testInputOf(
  mode: TestMode,
  item: string,
): Omit<Input<'test_automation'>, 'automation_id'> {
  const id = parseItemRef(item)
  if (mode === 'item' && id !== undefined) return { item_id: id }
  return mode === 'replay' ? { replay_days: replayDays } : {}
}

function Outcome({ mode, preview }: { mode: TestMode; preview: Preview }) {
  const { would_trigger: wouldTrigger, conditions, actions, replay, warnings } = preview
  return (
    <div className={styles.outcome} role="status">
      <p>
        <strong>{wouldTrigger ? words.tested.would : words.tested.wouldNot}</strong>{' '}
        {words.tested.held(preview.held_against)}
      </p>
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
      {conditions.length > 0 && <h3>{words.tested.conditions}</h3>}
      <ul className={styles.results}>
        {conditions.map(({ text, held, error }) => (
          <li key={text}>
            <RunIcon
              status={held ? 'succeeded' : 'failed'}
              label={held ? words.holds : words.doesNotHold}
            />
            <code>{text}</code>
            {error && <span className={styles.wrong}>{error}</span>}
          </li>
        ))}
      </ul>
      {actions.length > 0 && <h3>{words.tested.actions}</h3>}
      <ol className={styles.results}>
        {actions.map(({ path, would_do: description, params, problem, target }) => (
          <li key={path}>
            <span>{description}</span>
            {target && <ItemLink item={target} />}
            {problem && <span className={styles.wrong}>{problem}</span>}
            {params && <ValueBlock label={words.input} value={params} />}
          </li>
        ))}
      </ol>
      {mode === 'replay' && <Replay replay={replay} />}
    </div>
  )
}

function Replay({ replay }: { replay: Preview['replay'] }) {
  if (replay.length === 0) return <p className={styles.note}>{words.tested.noEvents}</p>
  const triggeredCount = replay.filter((past) => past.would_trigger).length
  return (
    <>
      <h3>{words.tested.replay}</h3>
      <p>{words.tested.ranOn(triggeredCount, replay.length)}</p>
      <ul className={styles.results}>
        {replay.map(({ event, at, item, would_trigger: wouldTrigger, error }) => (
          <li key={`${event} ${at} ${item.id}`}>
            <RunIcon
              status={wouldTrigger ? 'succeeded' : 'skipped'}
              label={wouldTrigger ? words.tested.yes : words.tested.no}
            />
            <ItemLink item={item} />
            <span className={styles.note}>
              {words.eventIn(event)} · <Ago time={at} />
            </span>
            {error && <span className={styles.wrong}>{error}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}
