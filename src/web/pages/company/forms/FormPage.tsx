import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { invalidateOperations, useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { write } from '../../../store/index.ts'
import { formTexts as words } from '../../../texts/en/company/forms.ts'
import { t } from '../../../texts/index.ts'
import { CopyTextLink } from '../../../ui/actions/CopyTextLink.tsx'
import { operationTextSource } from '../../../ui/conflicts/text-merge.ts'
import { Page } from '../../../ui/Page.tsx'
import { ItemViewers } from '../../../ui/work/Lookers.tsx'
import { MarkdownInput, TitleInput } from '../../../ui/work/texts.tsx'
import { Loaded } from '../../items/Found.tsx'
import { ItemLinks } from '../../items/links/ItemLinks.tsx'
import planning from '../../planning/planning.module.css'
import { AnswerTable } from './AnswerTable.tsx'
import { Builder } from './Builder.tsx'
import type { FullForm } from './fields.ts'
import { FormActions } from './FormActions.tsx'
import { FormSettings } from './FormSettings.tsx'
import styles from './forms.module.css'

const tabs = ['build', 'answers', 'settings'] as const

/** A form: its questions beside a preview, its answers, and its settings. */
export function FormPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const formQuery = useOperation('get_form', { form_id: id })
  return <Loaded query={formQuery}>{(form) => <OpenForm key={form.id} form={form} />}</Loaded>
}

function OpenForm({ form }: { form: FullForm }) {
  const [tab, setTab] = useState<(typeof tabs)[number]>('build')
  const switchBy = (step: number) => () =>
    setTab(tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] ?? 'build')
  useCommands({ 'tab.next': switchBy(1), 'tab.previous': switchBy(-1) })
  return (
    <Page
      isWide
      title={form.title}
      crumb={<span className="crumb">{words.title}</span>}
      heading={
        <TitleInput
          title={form.title}
          label={words.fields.title}
          save={(title) => void rename(form, title)}
        />
      }
      description={<FormSummary form={form} />}
      actions={
        <>
          <ItemViewers itemId={form.id} />
          <FormActions form={form} />
        </>
      }
    >
      <nav className={planning.choices} aria-label={words.tabs.label}>
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            className={planning.button}
            data-plain
            aria-pressed={name === tab}
            onClick={() => setTab(name)}
          >
            {words.tabs[name]}
            {name === 'answers' && ` (${form.response_count})`}
          </button>
        ))}
      </nav>
      {tab === 'build' && (
        <>
          <Description form={form} />
          <Builder form={form} />
          <ItemLinks item={form} />
        </>
      )}
      {tab === 'answers' && <AnswerTable form={form} />}
      {tab === 'settings' && <FormSettings key={form.id} form={form} />}
    </Page>
  )
}

function FormSummary({ form }: { form: FullForm }) {
  const { status, public_url: url, settings } = form
  return (
    <span className={styles.about}>
      <span className={styles.state} data-state={status}>
        {words.states[status]}
      </span>
      <span>{words.audiences[settings.audience]}</span>
      {url === undefined ? (
        <span>{words.noLink}</span>
      ) : (
        <>
          <a href={url} target="_blank" rel="noopener">
            {url}
          </a>
          <CopyTextLink text={url} />
        </>
      )}
    </span>
  )
}

async function rename(form: FullForm, title: string): Promise<void> {
  await write(
    'update_form',
    { form_id: form.id, title },
    { text: t.tasks.changed(form.title, words.renamed(title)) },
  )
  await invalidateOperations('get_form')
}

function Description({ form }: { form: FullForm }) {
  const { id, title } = form
  const source = operationTextSource({
    read: async () => {
      const current = await call('get_form', { form_id: id })
      return { text: current.description_markdown ?? '', revision: current.revision }
    },
    operation: 'update_form',
    input: (description, expected_revision) => ({
      form_id: id,
      description_markdown: description,
      expected_revision,
    }),
    description: t.tasks.changed(title, words.described),
  })
  return (
    <MarkdownInput
      saved={{ text: form.description_markdown ?? '', revision: form.revision }}
      source={source}
      label={words.fields.description}
      add={words.addDescription}
      draft={`form description ${id}`}
    />
  )
}
