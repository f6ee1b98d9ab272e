import { useState, type FormEvent } from 'react'
import { useList } from '../../../api/queries.ts'
import { resultTexts } from '../../../texts/en/company/meeting-results.ts'
import { nonEmptyLines } from '../../../ui/work/lines.ts'
import { CheckboxGroup } from '../../company/Ticks.tsx'
import planning from '../../planning/planning.module.css'
import { useProjects } from '../../tasks/data/lists.ts'
import type { FullMeeting } from '../data.ts'
import { SelectField } from '../PlanFields.tsx'
import { recordDecision } from './data.ts'
import { ProofQuote } from './ProofQuote.tsx'
import { withProof, type TranscriptLine } from './proof.ts'

const { form: words } = resultTexts.decisions

interface DecisionDraft {
  title: string
  text: string
  alternatives: string
  deciders: readonly string[]
  project: string
  replaces: string
}

const emptyDraft: DecisionDraft = {
  title: '',
  text: '',
  alternatives: '',
  deciders: [],
  project: '',
  replaces: '',
}

interface DecisionFormProps {
  meeting: FullMeeting
  /** The transcript line that proves the decision. */
  line: TranscriptLine | undefined
  close: () => void
}

/** Records a decision of a meeting, with its reason and the line that proves it. */
export function DecisionForm({ meeting, line, close }: DecisionFormProps) {
  const [draft, setDraft] = useState(emptyDraft)
  const [proof, setProof] = useState(line)
  const change = (patch: Partial<DecisionDraft>) =>
    setDraft((previous) => ({ ...previous, ...patch }))
  const text = draft.text.trim()
  const isComplete = draft.title.trim() !== '' && (text !== '' || proof !== undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    close()
    void recordDecision(meeting, {
      title: draft.title.trim(),
      decision_markdown: withProof(text, meeting.id, proof),
      alternatives: nonEmptyLines(draft.alternatives),
      decided_by: [...draft.deciders],
      ...(draft.project !== '' && { project_id: draft.project }),
      ...(draft.replaces !== '' && { supersedes_id: draft.replaces }),
    })
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <label>
        {words.name}
        <input
          data-autofocus
          value={draft.title}
          onChange={(event) => change({ title: event.currentTarget.value })}
          required
          maxLength={500}
          autoComplete="off"
          dir="auto"
        />
      </label>
      <label>
        {words.text}
        <textarea
          value={draft.text}
          onChange={(event) => change({ text: event.currentTarget.value })}
          rows={3}
          dir="auto"
        />
      </label>
      {proof && (
        <>
          <ProofQuote line={proof} />
          <button type="button" className={planning.button} onClick={() => setProof(undefined)}>
            {words.noProof}
          </button>
        </>
      )}
      <DecisionDetails
        meeting={meeting}
        draft={draft}
        change={change}
        hasProof={proof !== undefined}
      />
      <button type="submit" className={planning.primary} disabled={!isComplete}>
        {words.action}
      </button>
    </form>
  )
}

interface DecisionDetailsProps {
  meeting: FullMeeting
  draft: DecisionDraft
  hasProof: boolean
  change: (patch: Partial<DecisionDraft>) => void
}

/**
 * Further details of a decision: the deciders, rejected options, readers, and the earlier decision that it replaces.
 */
function DecisionDetails({ meeting, draft, hasProof, change }: DecisionDetailsProps) {
  const projects = useProjects()
  const earlierDecisions = useList('list_decisions', { limit: 50 }).items
  return (
    <>
      <CheckboxGroup
        legend={words.by}
        options={meeting.participants.flatMap(({ person }) =>
          person ? [{ value: person.id, label: person.title }] : [],
        )}
        checkedValues={draft.deciders}
        onChange={(deciders) => change({ deciders })}
      />
      <label>
        {words.alternatives}
        <textarea
          value={draft.alternatives}
          onChange={(event) => change({ alternatives: event.currentTarget.value })}
          rows={2}
          dir="auto"
        />
        <span className={planning.note}>{words.alternativesHint}</span>
      </label>
      <SelectField
        label={words.readers}
        value={draft.project}
        options={[
          { value: '', label: words.ofMeeting },
          ...projects.map(({ id, name }) => ({ value: id, label: words.ofProject(name) })),
        ]}
        set={(project) => change({ project })}
      />
      {hasProof && draft.project !== '' && <p className={planning.quiet}>{words.readersHint}</p>}
      {earlierDecisions.length > 0 && (
        <SelectField
          label={words.replaces}
          value={draft.replaces}
          options={[
            { value: '', label: words.replacesNone },
            ...earlierDecisions.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          set={(replaces) => change({ replaces })}
        />
      )}
    </>
  )
}
