import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { storeRows, useRow } from '../../../store/index.ts'
import { pipelineTexts as words } from '../../../texts/en/company/deals.ts'
import { directoryTexts as contactWords } from '../../../texts/en/company/contacts.ts'
import { t } from '../../../texts/index.ts'
import { PlainText } from '../../../ui/Outside.tsx'
import { Ago } from '../../../ui/times.tsx'
import { TitleInput } from '../../../ui/work/texts.tsx'
import { Links } from '../../items/Facts.tsx'
import { Loaded } from '../../items/Found.tsx'
import { ItemFrame } from '../../items/Frame.tsx'
import planning from '../../planning/planning.module.css'
import { Interactions } from '../contacts/Interactions.tsx'
import { InteractionForm } from '../contacts/LogLine.tsx'
import { moveDeal, removeDeal, updateDeal, winDeal, type DealRow } from './data.ts'
import { DealFields } from './DealFields.tsx'
import styles from './deals.module.css'
import { LostDialog } from './LostDialog.tsx'

type FullDeal = Output<'get_deal'>

/** The page of a deal: its stage, its people, and interactions. */
export function DealPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const dealQuery = useOperation('get_deal', { deal_id: id })
  const deal = dealQuery.data
  useEffect(() => {
    if (deal) storeRows('deal', [deal])
  }, [deal])
  const row = useRow('deal', deal?.id ?? '') ?? deal
  useDocumentTitle(row ? `${row.name} – ${t.app.name}` : t.app.name)
  if (!deal || !row) return <Loaded query={dealQuery}>{() => null}</Loaded>
  return <DealDetail deal={row} full={deal} />
}

function DealDetail({ deal, full }: { deal: DealRow; full: FullDeal }) {
  const hasRoom = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  return (
    <ItemFrame
      type="deal"
      title={deal.name}
      item={full}
      id={deal.id}
      status={words.states[deal.status]}
      heading={
        <TitleInput
          title={deal.name}
          label={words.fields.name}
          save={(name) =>
            void updateDeal(
              deal,
              { name },
              { set: { name }, description: contactWords.set.renamed(name) },
            )
          }
        />
      }
      actions={<DealActions deal={deal} />}
      beside={hasRoom && <DealFields deal={deal} />}
    >
      {!hasRoom && <DealFields deal={deal} />}
      {deal.note && <PlainText text={deal.note} />}
      {deal.contacts.length > 0 && (
        <section className={planning.section}>
          <h2>{words.fields.contacts}</h2>
          <Links
            items={deal.contacts.map((contact) => ({ ...contact, url: `/contacts/${contact.id}` }))}
          />
        </section>
      )}
      <section className={planning.section}>
        <h2>{words.history}</h2>
        <ol className={styles.stages}>
          {deal.stage_history.map(({ stage, at, status }) => (
            <li key={`${stage} ${at} ${status}`} dir="auto">
              {words.at(stage, status)}{' '}
              <span>
                <Ago time={at} />
              </span>
            </li>
          ))}
        </ol>
      </section>
      <section className={planning.section}>
        <h2>{contactWords.log.title}</h2>
        {deal.contacts.length > 0 ? (
          <InteractionForm
            contacts={deal.contacts}
            name={deal.company?.title ?? deal.name}
            dealId={deal.id}
          />
        ) : (
          <p className={planning.quiet}>{words.logNeedsContact}</p>
        )}
        <Interactions filter={{ deal_id: deal.id }} />
      </section>
    </ItemFrame>
  )
}

function DealActions({ deal }: { deal: DealRow }) {
  const navigate = useNavigate()
  const [isLosing, setLosing] = useState(false)
  const remove = async () => {
    if (await removeDeal(deal)) void navigate({ to: '/deals' })
  }
  const isOpen = deal.status === 'open'
  useCommands({
    'deal.win': deal.status === 'won' ? undefined : () => void winDeal(deal),
    'deal.lose': () => setLosing(true),
    'deal.delete': () => void remove(),
    'list.back': () => void navigate({ to: '/deals' }),
  })
  return (
    <>
      {isOpen ? (
        <>
          <button type="button" className={planning.button} onClick={() => void winDeal(deal)}>
            {words.win}
          </button>
          <button type="button" className={planning.button} onClick={() => setLosing(true)}>
            {words.lose}
          </button>
        </>
      ) : (
        <button
          type="button"
          className={planning.button}
          onClick={() => void moveDeal(deal, deal.stage)}
        >
          {words.reopen}
        </button>
      )}
      <button type="button" className={planning.button} data-plain onClick={() => void remove()}>
        {t.keys.commands['deal.delete']}
      </button>
      <LostDialog deal={isLosing ? deal : undefined} close={() => setLosing(false)} />
    </>
  )
}
