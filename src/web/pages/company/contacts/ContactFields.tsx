import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { Ago } from '../../../ui/times.tsx'
import { FieldList, PlainField, ValueField } from '../../../ui/work/fields.tsx'
import { TextField } from '../../../ui/work/TextField.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import planning from '../../planning/planning.module.css'
import { FieldFacts } from '../../items/Facts.tsx'
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

/** The fields of a contact, edited in place. */
export function ContactFields({ contact }: { contact: ContactRow }) {
  return (
    <>
      <FieldList>
        <TextField
          label={fields.title}
          text={contact.title ?? ''}
          save={(text) => contactSetters.title(contact, text)}
        />
        <ValueField
          label={fields.company}
          content={contact.company && <span dir="auto">{contact.company.title}</span>}
          menu={(anchor, close) => (
            <CompanyPicker
              anchor={anchor}
              close={close}
              company={contact.company}
              choose={(company) => setCompany(contact, company)}
            />
          )}
        />
        <TextField
          label={fields.emails}
          text={contact.emails.join(', ')}
          save={(text) => contactSetters.emails(contact, text)}
          maxLength={5000}
        />
        <TextField
          label={fields.phones}
          text={contact.phones.join(', ')}
          save={(text) => contactSetters.phones(contact, text)}
          maxLength={5000}
        />
        <ValueField
          label={fields.labels}
          content={
            contact.labels.length > 0 ? <LabelChips items={contact.labels} showsAll /> : undefined
          }
          menu={(anchor, close) => (
            <ContactLabels anchor={anchor} close={close} contact={contact} />
          )}
        />
        <OwnerField owner={contact.owner} choose={(owner) => setContactOwner(contact, owner)} />
        <LastContact at={contact.last_contacted_at} />
      </FieldList>
      <FieldFacts item={contact.custom_fields} />
    </>
  )
}

interface OwnerFieldProps {
  owner: NamedItem | undefined
  choose: (owner: NamedItem | undefined) => void
}

function OwnerField({ owner, choose }: OwnerFieldProps) {
  return (
    <ValueField
      label={fields.owner}
      content={
        owner && (
          <span className={planning.marked}>
            <Face id={owner.id} name={owner.title} size={18} />
            <span dir="auto">{owner.title}</span>
          </span>
        )
      }
      menu={(anchor, close) => (
        <OwnerPicker anchor={anchor} close={close} owner={owner} choose={choose} />
      )}
    />
  )
}

function LastContact({ at }: { at: string | undefined }) {
  return (
    <PlainField label={fields.lastContact}>
      {at === undefined ? words.never : <Ago time={at} />}
    </PlainField>
  )
}

/** The fields of a company, edited in place. */
export function CompanyFields({ company }: { company: CompanyRow }) {
  return (
    <>
      <FieldList>
        {(['domain', 'industry', 'size'] as const).map((field) => (
          <TextField
            key={field}
            label={fields[field]}
            text={company[field] ?? ''}
            save={(text) => setCompanyText(company, field, text)}
          />
        ))}
        <OwnerField owner={company.owner} choose={(owner) => setCompanyOwner(company, owner)} />
        <PlainField label={fields.openDeals}>
          {Object.keys(company.open_deal_value).length === 0
            ? '–'
            : formatSums(company.open_deal_value)}
        </PlainField>
        <LastContact at={company.last_contacted_at} />
      </FieldList>
      <FieldFacts item={company.custom_fields} />
    </>
  )
}
