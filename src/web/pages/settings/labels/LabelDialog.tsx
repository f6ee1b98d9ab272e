import { Button, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { call } from '../../../api/client.ts'
import { invalidateOperations } from '../../../api/queries.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { SaveRow } from '../shared/SaveRow.tsx'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import type { OrgLabel } from './Labels.tsx'

const texts = t.trash.labels
const fields = ['name', 'color', 'description']
/** Default color that the server assigns. */
const defaultColor = '#64748b'

interface LabelDialogProps {
  label?: OrgLabel
  close: () => void
}

/** Creates or edits a label. */
export function LabelDialog({ label, close }: LabelDialogProps) {
  const [name, setName] = useState(label?.name ?? '')
  const [color, setColor] = useState(label?.color ?? defaultColor)
  const [description, setDescription] = useState(label?.description ?? '')
  const submission = useSubmission()
  const save = async () => {
    const trimmed = description.trim()
    if (label)
      await call('update_label', { label_id: label.id, name, color, description: trimmed || null })
    else {
      const createdLabel = await call('create_label', {
        name,
        color,
        ...(trimmed === '' ? {} : { description: trimmed }),
      })
      if (createdLabel.existing) throw new Error(texts.exists(createdLabel.name))
    }
    notifySuccess(label ? texts.saved(name) : texts.created(name))
    close()
    await invalidateOperations('list_labels')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.send(save)
  }
  return (
    <Modal opened onClose={close} title={label ? texts.editNamed(label.name) : texts.create}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={texts.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={submission.errors.name}
            required
            maxLength={200}
            data-autofocus
            dir="auto"
          />
          <TextInput
            type="color"
            label={texts.color}
            value={color}
            onChange={(event) => setColor(event.currentTarget.value)}
            error={submission.errors.color}
          />
          <Textarea
            label={texts.description}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            error={submission.errors.description}
            maxLength={2000}
            autosize
            minRows={2}
            dir="auto"
          />
          <SubmissionError submission={submission} fields={fields} />
          <SaveRow isBusy={submission.isBusy}>
            <Button variant="default" onClick={close}>
              {t.app.cancel}
            </Button>
          </SaveRow>
        </Stack>
      </form>
    </Modal>
  )
}
