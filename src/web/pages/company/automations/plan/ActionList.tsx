import { IconArrowDown, IconArrowUp, IconPlus, IconSend, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { automationTexts as words } from '../../../../texts/en/company/automations.ts'
import { Picker } from '../../../../ui/work/Picker.tsx'
import { moveByStep } from '../../../planning/settings/statuses.ts'
import styles from '../automations.module.css'
import { ActionParams } from './ActionParams.tsx'
import type { Completion } from './completion.ts'
import { useAction, useActions } from './parts.ts'
import { PickerButton } from '../../../../ui/actions/PickerButton.tsx'
import { replaceAt, type Action } from './plan.ts'

interface ActionListProps {
  actions: readonly Action[]
  change: (actions: readonly Action[]) => void
  names: readonly Completion[]
  /** Path of the list in the plan, as errors name it. */
  path: string
  /** Numbers of the parent actions: `2.` */
  prefix?: string
}

/** Actions of an automation, step by step; parts that control the run contain lists of their own. */
export function ActionList({ actions, change, names, path, prefix = '' }: ActionListProps) {
  const numberOf = (index: number) => `${prefix}${index + 1}`
  return (
    <div className={styles.lines}>
      {actions.length === 0 && <p className={styles.note}>{words.needsAction}</p>}
      {actions.map((action, index) => (
        <ActionCard
          key={numberOf(index)}
          number={numberOf(index)}
          path={`${path}.${index}.params`}
          action={action}
          names={[...names, ...resultsOf(actions.slice(0, index))]}
          change={(next) => change(replaceAt(actions, index, next))}
          move={(step) => change(moveByStep(actions, index, step))}
          isLast={index === actions.length - 1}
        />
      ))}
      <PickerButton
        className={styles.add}
        list={(anchor, close) => (
          <ActionPicker
            anchor={anchor}
            choose={(type) => change([...actions, { type, params: {}, on_error: 'stop' }])}
            close={close}
          />
        )}
      >
        <IconPlus size={14} aria-hidden />
        {words.addAction}
      </PickerButton>
    </div>
  )
}

const resultsOf = (actions: readonly Action[]): Completion[] =>
  actions.flatMap(({ id, type }) =>
    id === undefined ? [] : [{ text: `steps.${id}`, about: words.actionWord(type) }],
  )

interface ActionPickerProps {
  anchor: Element
  choose: (type: string) => void
  close: () => void
}

function ActionPicker({ anchor, choose, close }: ActionPickerProps) {
  const [query, setQuery] = useState('')
  const actions = useActions(query)
  return (
    <Picker
      anchor={anchor}
      label={words.findAction}
      onQuery={setQuery}
      choices={() =>
        actions.map(({ type, summary }) => ({
          value: type,
          label: words.actionWord(type),
          hint: summary,
        }))
      }
      choose={choose}
      close={close}
    />
  )
}

interface ActionCardProps {
  number: string
  path: string
  action: Action
  names: readonly Completion[]
  /** `undefined` removes the action. */
  change: (action: Action | undefined) => void
  move: (step: number) => void
  isLast: boolean
}

function ActionCard({ number, path, action, names, change, move, isLast }: ActionCardProps) {
  const definition = useAction(action.type)
  const label = words.action(number)
  return (
    <section className={styles.action} aria-label={`${label}: ${words.actionWord(action.type)}`}>
      <header className={styles.actionHead}>
        <span className={styles.number} aria-hidden>
          {number}
        </span>
        <h3>{words.actionWord(action.type)}</h3>
        {definition?.outbound && (
          <span className={styles.outbound} title={words.outboundText}>
            <IconSend size={13} aria-hidden />
            {words.outbound}
          </span>
        )}
        <span className={styles.tools}>
          <button
            type="button"
            className={styles.tool}
            aria-label={words.moveUp(label)}
            title={words.moveUp(label)}
            disabled={/(^|\.)1$/.test(number)}
            onClick={() => move(-1)}
          >
            <IconArrowUp size={15} aria-hidden />
          </button>
          <button
            type="button"
            className={styles.tool}
            aria-label={words.moveDown(label)}
            title={words.moveDown(label)}
            disabled={isLast}
            onClick={() => move(1)}
          >
            <IconArrowDown size={15} aria-hidden />
          </button>
          <button
            type="button"
            className={styles.tool}
            aria-label={words.remove(label)}
            title={words.remove(label)}
            onClick={() => change(undefined)}
          >
            <IconX size={15} aria-hidden />
          </button>
        </span>
      </header>
      {definition && <p className={styles.note}>{definition.summary}</p>}
      {definition && (
        <ActionParams
          definition={definition}
          path={path}
          params={action.params}
          change={(params) => change({ ...action, params })}
          names={names}
          nested={(name, inner, set) => (
            <ActionList
              actions={inner}
              change={set}
              names={action.type === 'for_each' ? [...names, ...loopNames] : names}
              path={`${path}.${name}`}
              prefix={`${number}.${name === 'else' ? 'e' : ''}`}
            />
          )}
        />
      )}
      <ActionOptions action={action} change={change} />
    </section>
  )
}

const loopNames: readonly Completion[] = [{ text: 'each' }, { text: 'index' }]

function ActionOptions({ action, change }: { action: Action; change: (action: Action) => void }) {
  const rename = (name: string) => {
    const { id: _, ...rest } = action
    change(name === '' ? rest : { ...rest, id: name })
  }
  return (
    <div className={styles.more}>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={action.on_error === 'continue'}
          onChange={(event) =>
            change({ ...action, on_error: event.currentTarget.checked ? 'continue' : 'stop' })
          }
        />
        {words.continues}
      </label>
      <label className={styles.check} title={words.resultHint}>
        {words.resultName}
        <input
          className={styles.text}
          data-code
          data-short
          value={action.id ?? ''}
          onChange={(event) => rename(event.currentTarget.value.trim())}
          maxLength={40}
          autoComplete="off"
        />
      </label>
    </div>
  )
}
