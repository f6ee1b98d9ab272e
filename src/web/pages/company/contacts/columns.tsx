import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { Ago, ago } from '../../../ui/times.tsx'
import type { RowColumn } from '../../../ui/work/table/columns.ts'
import table from '../../../ui/work/table/table.module.css'
import { Face } from '../../../ui/work/Who.tsx'
import { LabelChips } from '../../tasks/list/chips.tsx'
import {
  contactSetters,
  setCompany,
  setCompanyOwner,
  setCompanyText,
  setContactOwner,
} from './changes.ts'
import type { CompanyRow, ContactRow, NamedItem } from './data.ts'
import { formatSums } from '../money.ts'
import { CompanyPicker, ContactLabels, OwnerPicker } from './pickers.tsx'

const { fields } = words

function Text({ children }: { children: string | undefined }) {
  return (
    <span className={table.text} dir="auto">
      {children}
    </span>
  )
}

function Owner({ item }: { item: NamedItem | undefined }) {
  if (!item) return null
  return (
    <>
      <Face id={item.id} name={item.title} size={18} />
      <Text>{item.title}</Text>
    </>
  )
}

const lastContact = {
  id: 'lastContact',
  label: fields.lastContact,
  width: 130,
  content: ({ last_contacted_at: at }: ContactRow | CompanyRow) => at && <Ago time={at} />,
  text: ({ last_contacted_at: at }: ContactRow | CompanyRow) => (at ? ago(at) : words.never),
}

const contactText = (
  id: keyof typeof contactSetters,
  width: number,
  text: (contact: ContactRow) => string,
): RowColumn<ContactRow> => ({
  id,
  label: fields[id],
  width,
  content: (contact) => <Text>{text(contact)}</Text>,
  text,
  write: contactSetters[id],
})

export const contactColumns: readonly RowColumn<ContactRow>[] = [
  { ...contactText('name', 210, ({ name }) => name), isPinned: true },
  contactText('title', 150, ({ title }) => title ?? ''),
  {
    id: 'company',
    label: fields.company,
    width: 170,
    content: ({ company }) => <Text>{company?.title}</Text>,
    text: ({ company }) => company?.title ?? '',
    list: (contact, pickerProps) => (
      <CompanyPicker
        {...pickerProps}
        company={contact.company}
        choose={(company) => setCompany(contact, company)}
      />
    ),
  },
  contactText('emails', 230, ({ emails }) => emails.join(', ')),
  contactText('phones', 160, ({ phones }) => phones.join(', ')),
  {
    id: 'labels',
    label: fields.labels,
    width: 170,
    content: ({ labels }) => <LabelChips items={labels} showsAll />,
    text: ({ labels }) => labels.map(({ title }) => title).join(', '),
    list: (contact, pickerProps) => <ContactLabels {...pickerProps} contact={contact} />,
  },
  {
    id: 'owner',
    label: fields.owner,
    width: 150,
    content: ({ owner }) => <Owner item={owner} />,
    text: ({ owner }) => owner?.title ?? '',
    list: (contact, pickerProps) => (
      <OwnerPicker
        {...pickerProps}
        owner={contact.owner}
        choose={(owner) => setContactOwner(contact, owner)}
      />
    ),
  },
  lastContact,
  {
    id: 'deals',
    label: fields.deals,
    width: 170,
    content: ({ deals }) => <Text>{deals.map(({ title }) => title).join(', ')}</Text>,
    text: ({ deals }) => deals.map(({ title }) => title).join(', '),
  },
]

const companyText = (
  id: 'name' | 'domain' | 'industry' | 'size',
  width: number,
): RowColumn<CompanyRow> => ({
  id,
  label: fields[id],
  width,
  content: (company) => <Text>{company[id]}</Text>,
  text: (company) => company[id] ?? '',
  write: (company, text) => setCompanyText(company, id, text),
})

export const companyColumns: readonly RowColumn<CompanyRow>[] = [
  { ...companyText('name', 230), isPinned: true },
  companyText('domain', 180),
  companyText('industry', 150),
  companyText('size', 110),
  {
    id: 'owner',
    label: fields.owner,
    width: 150,
    content: ({ owner }) => <Owner item={owner} />,
    text: ({ owner }) => owner?.title ?? '',
    list: (company, pickerProps) => (
      <OwnerPicker
        {...pickerProps}
        owner={company.owner}
        choose={(owner) => setCompanyOwner(company, owner)}
      />
    ),
  },
  {
    id: 'people',
    label: fields.people,
    width: 90,
    isNumber: true,
    content: ({ contact_count: n }) => <Text>{n === 0 ? undefined : String(n)}</Text>,
    text: ({ contact_count: n }) => String(n),
  },
  {
    id: 'openDeals',
    label: fields.openDeals,
    width: 170,
    isNumber: true,
    content: ({ open_deal_value: amounts }) => <Text>{formatSums(amounts)}</Text>,
    text: ({ open_deal_value: amounts }) => formatSums(amounts),
  },
  lastContact,
]
