import { IconTemplate } from '@tabler/icons-react'
import { useOperation } from '../../../api/queries.ts'
import { PickerButton } from '../../../ui/actions/PickerButton.tsx'
import { filterChoices, Picker } from '../../../ui/work/Picker.tsx'
import { mailTexts as t } from '../texts.ts'
import styles from './compose.module.css'
import { hasTags } from './template-text.ts'

const { compose } = t.mailbox

export interface TemplateText {
  subject: string
  body: string
}

/** Offers the available mail templates. */
export function TemplateMenu({ insert }: { insert: (template: TemplateText) => void }) {
  return (
    <PickerButton
      className={styles.tool}
      aria-label={compose.template}
      title={compose.template}
      list={(anchor, close) => <Templates anchor={anchor} close={close} insert={insert} />}
    >
      <IconTemplate size={16} aria-hidden />
    </PickerButton>
  )
}

interface TemplatesProps {
  anchor: Element
  close: () => void
  insert: (template: TemplateText) => void
}

function Templates({ anchor, close, insert }: TemplatesProps) {
  const { data } = useOperation('list_email_templates', { limit: 100 })
  const usable = (data?.items ?? []).filter(
    ({ retired, subject, body_markdown }) => !retired && !hasTags(subject + body_markdown),
  )
  const choices = usable.map(({ name, subject, body_markdown }) => ({
    value: { subject, body: body_markdown },
    label: name,
    hint: subject,
  }))
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={compose.template}
      choices={(query) => filterChoices(choices, query)}
      choose={insert}
    />
  )
}
