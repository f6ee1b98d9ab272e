import { useState, type FormEvent, type ReactNode } from 'react'
import { useAllRowsOf, useListedRows } from '../../../store/index.ts'
import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { setCursor } from '../../../ui/work/table/selection.ts'
import planning from '../../planning/planning.module.css'
import { createCompany, createContact, type NamedItem } from './data.ts'
import { addressSeparators, numberSeparators, splitValues } from './search.ts'

interface NewProps {
  isOpen: boolean
  close: () => void
}

interface NewContactProps extends NewProps {
  company?: NamedItem
  /** Called after creation. */
  onCreated?: () => void
}

/** The form for a new contact. */
export function NewContact({ isOpen, close, company, onCreated }: NewContactProps) {
  return (
    <Dialog isOpen={isOpen} close={close} title={words.create}>
      <ContactForm close={close} company={company} onCreated={onCreated} />
    </Dialog>
  )
}

/** The form for a new company. */
export function NewCompany({ isOpen, close }: NewProps) {
  return (
    <Dialog isOpen={isOpen} close={close} title={words.createCompany}>
      <CompanyForm close={close} />
    </Dialog>
  )
}

interface LineProps {
  label: string
  name: string
  isFirst?: boolean
  maxLength?: number
}

function ContactTextField({ label, name, isFirst = false, maxLength = 400 }: LineProps) {
  return (
    <label>
      {label}
      <input
        name={name}
        data-autofocus={isFirst || undefined}
        required={isFirst}
        maxLength={maxLength}
        autoComplete="off"
        dir="auto"
      />
    </label>
  )
}

function CreateForm({
  submit,
  children,
}: {
  submit: (text: (name: string) => string) => void
  children: ReactNode
}) {
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    submit((name) => String(data.get(name) ?? '').trim())
  }
  return (
    <form className={planning.form} onSubmit={handleSubmit}>
      {children}
      <button type="submit" className={planning.primary}>
        {t.planning.create}
      </button>
    </form>
  )
}

function ContactForm({
  close,
  company: initialCompany,
  onCreated,
}: Omit<NewContactProps, 'isOpen'>) {
  const { fields } = words
  useListedRows('company', {})
  const companies = useAllRowsOf('company')
  const [company, setCompany] = useState(initialCompany?.id ?? '')
  const submit = (text: (name: string) => string) => {
    const title = text('title')
    close()
    void createContact({
      name: text('name'),
      emails: splitValues(text('email'), addressSeparators),
      phones: splitValues(text('phone'), numberSeparators),
      ...(title === '' ? {} : { title }),
      ...(company === '' ? {} : { company_id: company }),
    }).then((id) => {
      setCursor(id)
      onCreated?.()
    })
  }
  return (
    <CreateForm submit={submit}>
      <ContactTextField label={fields.name} name="name" isFirst maxLength={500} />
      <ContactTextField label={fields.email} name="email" />
      <div className={planning.pair}>
        <ContactTextField label={fields.phone} name="phone" />
        <ContactTextField label={fields.title} name="title" maxLength={300} />
      </div>
      <label>
        {fields.company}
        <select value={company} onChange={(event) => setCompany(event.currentTarget.value)}>
          <option value="">{words.byDomain}</option>
          {companies
            .toSorted((a, b) => a.name.localeCompare(b.name))
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </select>
      </label>
    </CreateForm>
  )
}

function CompanyForm({ close }: Pick<NewProps, 'close'>) {
  const { fields } = words
  const submit = (text: (name: string) => string) => {
    const [domain, industry, size] = [text('domain'), text('industry'), text('size')]
    close()
    void createCompany({
      name: text('name'),
      ...(domain === '' ? {} : { domain }),
      ...(industry === '' ? {} : { industry }),
      ...(size === '' ? {} : { size }),
    }).then((company) => setCursor(company?.id))
  }
  return (
    <CreateForm submit={submit}>
      <ContactTextField label={fields.name} name="name" isFirst maxLength={500} />
      <ContactTextField label={fields.domain} name="domain" />
      <div className={planning.pair}>
        <ContactTextField label={fields.industry} name="industry" maxLength={200} />
        <ContactTextField label={fields.size} name="size" maxLength={100} />
      </div>
    </CreateForm>
  )
}
