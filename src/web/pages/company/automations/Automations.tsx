import { useDocumentTitle } from '@mantine/hooks'
import { IconHexagon, IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useList } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { automationTexts as words } from '../../../texts/en/company/automations.ts'
import { t } from '../../../texts/index.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { fieldOnDemand } from '../../../ui/on-demand.tsx'
import { Ago } from '../../../ui/times.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import { Face } from '../../../ui/work/Who.tsx'
import { Choices } from '../../planning/Choices.tsx'
import planning from '../../planning/planning.module.css'
import { eventOf, type AutomationRow } from './plan/plan.ts'
import { AutomationIcon } from './states.tsx'

/** Includes the expression editor, which the list does not need. */
const NewAutomation = fieldOnDemand(() =>
  import('./NewAutomation.tsx').then(({ NewAutomation: Part }) => Part),
)

const kinds = ['all', 'on', 'off', 'failing'] as const
type Kind = (typeof kinds)[number]

const filters: Record<Kind, { enabled?: boolean; failing?: boolean }> = {
  all: {},
  on: { enabled: true },
  off: { enabled: false },
  failing: { failing: true },
}

/** The visible automations, or the creation of a new one. */
export function Automations() {
  const { create } = useSearch({ strict: false }) as { create?: unknown }
  return create === undefined ? <AutomationList /> : <NewAutomation />
}

function AutomationList() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const list = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const { show } = useSearch({ strict: false }) as { show?: string }
  const kind = kinds.find((option) => option === show) ?? 'all'
  const automations = useList('list_automations', { ...filters[kind], limit: 50 })
  const create = () => void navigate({ to: '/automations', search: { create: 'new' } })
  useRowKeys(list)
  useCommands({ 'automation.create': create })
  const button = (
    <button type="button" className={planning.button} onClick={create}>
      {words.create}
    </button>
  )
  return (
    <>
      <header className={planning.bar}>
        <h1>{words.title}</h1>
        <Choices
          label={words.shown}
          choices={kinds}
          selected={kind}
          choose={(name) =>
            void navigate({ to: '/automations', search: name === 'all' ? {} : { show: name } })
          }
          names={words.kinds}
        />
        <span className={planning.spring} />
        <button type="button" className={planning.primary} onClick={create}>
          <IconPlus size={15} stroke={2} aria-hidden />
          {words.create}
        </button>
      </header>
      <div ref={list} className={planning.table}>
        <QueryContent query={automations}>
          {() =>
            automations.items.length > 0 ? (
              <ul className={planning.rows}>
                {automations.items.map((automation) => (
                  <li key={automation.id}>
                    <AutomationLine automation={automation} />
                  </li>
                ))}
              </ul>
            ) : (
              <NoAutomations kind={kind} action={button} />
            )
          }
        </QueryContent>
        <MoreButton query={automations} />
      </div>
    </>
  )
}

function NoAutomations({ kind, action }: { kind: Kind; action: React.ReactNode }) {
  if (kind === 'all') return <EmptyState icon={IconHexagon} {...words.empty} action={action} />
  return <EmptyState icon={IconHexagon} title={words.noneOf[kind]} />
}

function AutomationLine({ automation }: { automation: AutomationRow }) {
  const event = eventOf(automation.trigger)
  const { last_run: last } = automation
  return (
    <RouterLink to={`/automations/${automation.id}`} className={planning.row} data-row>
      <AutomationIcon status={automation.status} />
      <span className={planning.name} dir="auto">
        {automation.name}
      </span>
      <span className={planning.fact}>
        {words.when}{' '}
        {event === undefined ? words.triggers[automation.trigger.type] : words.eventIn(event)}
      </span>
      {automation.outbound && (
        <span className={planning.fact} data-optional>
          {words.outbound}
        </span>
      )}
      <span className={planning.fact} data-optional>
        {last ? words.ran(words.runStates[last.status]) : words.never}
      </span>
      <span className={planning.day}>{last && <Ago time={last.created_at} />}</span>
      <Face
        id={automation.owner.id}
        name={automation.owner.title}
        label={`${words.owner}: ${automation.owner.title}`}
      />
    </RouterLink>
  )
}
