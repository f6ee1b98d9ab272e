import { useState } from 'react'
import { useAllRowsOf, useListedRows } from '../../../store/index.ts'
import { pipelineTexts as words } from '../../../texts/en/company/deals.ts'
import {
  ChoiceField,
  DayField,
  FieldList,
  PlainField,
  ValueField,
} from '../../../ui/work/fields.tsx'
import { relativeDay } from '../../../ui/work/days.ts'
import { filterChoices, Picker } from '../../../ui/work/Picker.tsx'
import { TextField } from '../../../ui/work/TextField.tsx'
import type { NamedItem } from '../contacts/data.ts'
import { OwnerPicker } from '../contacts/pickers.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { formatMoney } from '../money.ts'
import { moveDeal, updateDeal, useStages, type DealRow } from './data.ts'
import { parseAmount } from './line.ts'

const { fields, set } = words

/** The fields of a deal, edited in place. */
export function DealFields({ deal }: { deal: DealRow }) {
  const stages = useStages()
  return (
    <FieldList>
      <ChoiceField
        label={fields.stage}
        content={<span dir="auto">{deal.stage}</span>}
        choices={stages.map((stage) => ({
          value: stage,
          label: stage,
          isChosen: stage === deal.stage,
        }))}
        choose={(stage) => void moveDeal(deal, stage)}
      />
      {deal.lost_reason !== undefined && (
        <PlainField label={fields.reason}>
          <span dir="auto">{deal.lost_reason}</span>
        </PlainField>
      )}
      <AmountField key={deal.amount} deal={deal} />
      <CurrencyField deal={deal} />
      <DayField
        label={fields.close}
        day={deal.expected_close_on}
        choose={(day) =>
          void updateDeal(
            deal,
            { expected_close_on: day },
            {
              set: { expected_close_on: day ?? undefined },
              description: set(fields.close, day === null ? '' : relativeDay(day)),
            },
          )
        }
      />
      <OwnerField deal={deal} />
      <ContactsField deal={deal} />
    </FieldList>
  )
}

function CurrencyField({ deal }: { deal: DealRow }) {
  return (
    <TextField
      label={fields.currency}
      text={deal.currency}
      maxLength={20}
      save={(text) => {
        const currency = text.toUpperCase()
        if (currency !== '')
          void updateDeal(
            deal,
            { currency },
            { set: { currency }, description: set(fields.currency, currency) },
          )
      }}
    />
  )
}

/** The amount in informal notation: 12,500 or 12k. Invalid numbers are ignored. */
function AmountField({ deal }: { deal: DealRow }) {
  const { amount } = deal
  const [resetKey, setResetKey] = useState(0)
  const save = (text: string) => {
    const newAmount = parseAmount(text.replaceAll(/\s/g, ''))
    if (newAmount === undefined && text !== '') return setResetKey(resetKey + 1)
    void updateDeal(
      deal,
      { amount: newAmount ?? null },
      {
        set: { amount: newAmount },
        description: set(
          fields.amount,
          newAmount === undefined ? '' : formatMoney(newAmount, deal.currency),
        ),
      },
    )
  }
  return (
    <TextField
      key={resetKey}
      label={fields.amount}
      text={amount === undefined ? '' : String(amount)}
      save={save}
      maxLength={30}
    />
  )
}

function OwnerField({ deal }: { deal: DealRow }) {
  return (
    <>
      <ValueField
        label={fields.owner}
        content={<span dir="auto">{deal.owner.title}</span>}
        menu={(anchor, close) => (
          <OwnerPicker
            anchor={anchor}
            close={close}
            owner={deal.owner}
            choose={(owner) => {
              if (owner)
                void updateDeal(
                  deal,
                  { owner_id: owner.id },
                  { set: { owner }, description: set(fields.owner, owner.title) },
                )
            }}
          />
        )}
      />
      {deal.company && (
        <PlainField label={fields.company}>
          <ItemLink item={deal.company} withIcon={false} />
        </PlainField>
      )}
    </>
  )
}

/** The people of the deal, toggled individually. */
function ContactsField({ deal }: { deal: DealRow }) {
  useListedRows('contact', {})
  const contacts = useAllRowsOf('contact')
  const isDealContact = (id: string) => deal.contacts.some((other) => other.id === id)
  const toggle = (contact: NamedItem) => {
    const newContacts = isDealContact(contact.id)
      ? deal.contacts.filter((other) => other.id !== contact.id)
      : [...deal.contacts, contact]
    void updateDeal(
      deal,
      { contact_ids: newContacts.map(({ id }) => id) },
      {
        set: { contacts: newContacts },
        description: set(fields.contacts, newContacts.map(({ title }) => title).join(', ')),
      },
    )
  }
  return (
    <ValueField
      label={fields.contacts}
      content={
        deal.contacts.length > 0 ? (
          <span dir="auto">{deal.contacts.map(({ title }) => title).join(', ')}</span>
        ) : undefined
      }
      menu={(anchor, close) => (
        <Picker
          anchor={anchor}
          close={close}
          label={fields.contacts}
          choices={(query) =>
            filterChoices(
              contacts.map(({ id, name, company }) => ({
                value: { id, title: name },
                label: name,
                hint: company?.title,
                isChosen: isDealContact(id),
              })),
              query,
            ).slice(0, 50)
          }
          choose={toggle}
          isMultiple
        />
      )}
    />
  )
}
