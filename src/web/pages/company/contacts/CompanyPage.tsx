import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { invalidateOperations, useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { storeRows, useRow } from '../../../store/index.ts'
import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { t } from '../../../texts/index.ts'
import { PlainText } from '../../../ui/Outside.tsx'
import { MarkdownInput, TitleInput } from '../../../ui/work/texts.tsx'
import { Links } from '../../items/Facts.tsx'
import { Loaded } from '../../items/Found.tsx'
import { ItemFrame } from '../../items/Frame.tsx'
import planning from '../../planning/planning.module.css'
import { companyNote, setCompanyText } from './changes.ts'
import { CompanyFields } from './ContactFields.tsx'
import { removeCompany, type CompanyRow } from './data.ts'
import { Interactions } from './Interactions.tsx'
import { NewContact } from './NewContact.tsx'

type FullCompany = Output<'get_company'>

/** The page of a company: its people, deals, and interactions. */
export function CompanyPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const companyQuery = useOperation('get_company', { company_id: id })
  const company = companyQuery.data
  useEffect(() => {
    if (company) storeRows('company', [company])
  }, [company])
  const row = useRow('company', company?.id ?? '') ?? company
  useDocumentTitle(row ? `${row.name} – ${t.app.name}` : t.app.name)
  if (!company || !row) return <Loaded query={companyQuery}>{() => null}</Loaded>
  return <Dossier company={row} full={company} />
}

function Dossier({ company, full }: { company: CompanyRow; full: FullCompany }) {
  const hasRoom = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  return (
    <ItemFrame
      type="company"
      title={company.name}
      item={full}
      id={company.id}
      heading={
        <TitleInput
          title={company.name}
          label={words.fields.name}
          save={(name) => setCompanyText(company, 'name', name)}
        />
      }
      actions={<CompanyActions company={company} />}
      beside={hasRoom && <CompanyFields company={company} />}
    >
      {!hasRoom && <CompanyFields company={company} />}
      <MarkdownInput
        saved={{ text: company.note ?? '', revision: company.revision }}
        source={companyNote(company)}
        label={words.fields.note}
        add={words.addNote}
        draft={`note ${company.id}`}
        render={(text) => <PlainText text={text} />}
      />
      <CompanyContacts full={full} />
      {full.deals.length > 0 && (
        <section className={planning.section}>
          <h2>{words.sections.deals}</h2>
          <Links items={full.deals.map((deal) => ({ ...deal, url: `/deals/${deal.id}` }))} />
        </section>
      )}
      <section className={planning.section}>
        <h2>{words.log.title}</h2>
        <Interactions filter={{ company_id: company.id }} />
      </section>
    </ItemFrame>
  )
}

function CompanyContacts({ full }: { full: FullCompany }) {
  const [isCreating, setCreating] = useState(false)
  useCommands({ 'contact.create': () => setCreating(true) })
  return (
    <section className={planning.section}>
      <h2>
        {words.sections.contacts}
        <button
          type="button"
          className={planning.button}
          data-plain
          onClick={() => setCreating(true)}
        >
          {words.create} <KeyCombo command="contact.create" />
        </button>
      </h2>
      {full.contacts.length > 0 && (
        <Links
          items={full.contacts.map((contact) => ({ ...contact, url: `/contacts/${contact.id}` }))}
        />
      )}
      <NewContact
        isOpen={isCreating}
        close={() => setCreating(false)}
        onCreated={() => void invalidateOperations('get_company')}
        company={{ id: full.id, title: full.name }}
      />
    </section>
  )
}

function CompanyActions({ company }: { company: CompanyRow }) {
  const navigate = useNavigate()
  const remove = async () => {
    if (await removeCompany(company)) void navigate({ to: '/companies' })
  }
  useCommands({
    'contact.delete': () => void remove(),
    'list.back': () => void navigate({ to: '/companies' }),
  })
  return (
    <button type="button" className={planning.button} data-plain onClick={() => void remove()}>
      {t.keys.commands['contact.delete']}
    </button>
  )
}
