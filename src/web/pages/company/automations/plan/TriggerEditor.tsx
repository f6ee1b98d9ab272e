import { useId } from 'react'
import { useSignedIn } from '../../../../session/session.ts'
import { useAllRowsOf, useListedRows } from '../../../../store/index.ts'
import { automationTexts as words } from '../../../../texts/en/company/automations.ts'
import { filterChoices, Picker } from '../../../../ui/work/Picker.tsx'
import styles from '../automations.module.css'
import { useEventNames } from './parts.ts'
import { PickerButton } from '../../../../ui/actions/PickerButton.tsx'
import { eventOf, type Trigger } from './plan.ts'

const types = ['event', 'schedule', 'webhook', 'manual'] as const

interface TriggerEditorProps {
  trigger: Trigger
  change: (trigger: Trigger) => void
}

/** Trigger of an automation, as the rest of a sentence that begins with When. */
export function TriggerEditor({ trigger, change }: TriggerEditorProps) {
  const { person } = useSignedIn()
  const choose = (type: Trigger['type']) =>
    change({
      type,
      params:
        { event: { event: 'task.created' }, schedule: mondayMorning(person.timezone) }[
          type as 'event' | 'schedule'
        ] ?? {},
    })
  return (
    <div className={styles.parts}>
      <select
        className={styles.choice}
        value={trigger.type}
        onChange={(event) => choose(event.currentTarget.value as Trigger['type'])}
        aria-label={words.trigger}
      >
        {types.map((type) => (
          <option key={type} value={type}>
            {words.triggers[type]}
          </option>
        ))}
      </select>
      {trigger.type === 'event' && <EventParams trigger={trigger} change={change} />}
      {trigger.type === 'schedule' && <ScheduleParams trigger={trigger} change={change} />}
      {trigger.type === 'webhook' && <p className={styles.note}>{words.webhookText}</p>}
      {trigger.type === 'manual' && <p className={styles.note}>{words.manualText}</p>}
    </div>
  )
}

const mondayMorning = (timezone: string) => ({ cron: '0 9 * * 1', timezone })

interface Filter {
  project_ids?: string[]
  by_others?: boolean
}

function EventParams({ trigger, change }: TriggerEditorProps) {
  const names = useEventNames()
  const event = eventOf(trigger) ?? ''
  const filter = (trigger.params.filter ?? {}) as Filter
  const setFilter = (next: Filter) => {
    const { filter: _, ...params } = trigger.params
    const filterEntries = Object.entries(next).filter(([, value]) => value !== undefined)
    change({
      type: 'event',
      params:
        filterEntries.length === 0
          ? params
          : { ...params, filter: Object.fromEntries(filterEntries) },
    })
  }
  return (
    <>
      <PickerButton
        className={styles.choice}
        aria-label={`${words.event}: ${words.eventIn(event)}`}
        list={(anchor, close) => (
          <Picker
            anchor={anchor}
            label={words.findEvent}
            choices={(query) =>
              filterChoices(
                names.map((name) => ({
                  value: name,
                  label: words.eventIn(name),
                  isChosen: name === event,
                })),
                query,
              )
            }
            choose={(name) => change({ type: 'event', params: { ...trigger.params, event: name } })}
            close={close}
          />
        )}
      >
        {words.eventIn(event)}
      </PickerButton>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={filter.by_others === true}
          onChange={(changeEvent) =>
            setFilter({
              ...filter,
              by_others: changeEvent.currentTarget.checked || undefined,
            } as Filter)
          }
        />
        {words.byOthers}
      </label>
      <ProjectFilter
        chosen={filter.project_ids ?? []}
        choose={(ids) =>
          setFilter({ ...filter, project_ids: ids.length > 0 ? ids : undefined } as Filter)
        }
      />
    </>
  )
}

function ProjectFilter({
  chosen,
  choose,
}: {
  chosen: readonly string[]
  choose: (ids: string[]) => void
}) {
  useListedRows('project', {})
  const projects = useAllRowsOf('project')
  const chosenProjects = projects.filter(
    ({ id, key }) => chosen.includes(id) || chosen.includes(key),
  )
  const toggle = (id: string) =>
    choose(
      chosenProjects.some((project) => project.id === id)
        ? chosenProjects.flatMap((project) => (project.id === id ? [] : project.id))
        : [...chosenProjects.map((project) => project.id), id],
    )
  return (
    <PickerButton
      className={styles.choice}
      data-quiet={chosen.length === 0 || undefined}
      list={(anchor, close) => (
        <Picker
          anchor={anchor}
          label={words.onlyIn}
          isMultiple
          choices={(query) =>
            filterChoices(
              projects.map(({ id, name, key }) => ({
                value: id,
                label: name,
                hint: key,
                isChosen: chosenProjects.some((project) => project.id === id),
              })),
              query,
            )
          }
          choose={toggle}
          close={close}
        />
      )}
    >
      {words.onlyIn}
      {chosenProjects.length > 0 && `: ${chosenProjects.map(({ name }) => name).join(', ')}`}
    </PickerButton>
  )
}

function ScheduleParams({ trigger, change }: TriggerEditorProps) {
  const hintId = useId()
  const set = (name: 'cron' | 'timezone', value: string) =>
    change({ type: 'schedule', params: { ...trigger.params, [name]: value } })
  const { cron = '', timezone = '' } = trigger.params as { cron?: string; timezone?: string }
  return (
    <>
      <input
        className={styles.text}
        data-code
        data-short
        value={cron}
        onChange={(event) => set('cron', event.currentTarget.value)}
        aria-label={words.cron}
        aria-describedby={hintId}
        maxLength={100}
        autoComplete="off"
      />
      <input
        className={styles.text}
        data-short
        value={timezone}
        onChange={(event) => set('timezone', event.currentTarget.value)}
        aria-label={words.timezone}
        maxLength={64}
        autoComplete="off"
      />
      <p className={styles.note} id={hintId}>
        {words.cronText}
      </p>
    </>
  )
}
