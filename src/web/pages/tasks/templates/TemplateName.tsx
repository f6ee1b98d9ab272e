import { templates as texts } from '../../../texts/en/tasks/templates.ts'

interface TemplateNameProps {
  name: string
  setName: (name: string) => void
}

/** The name of a template, the first field of its form. */
export function TemplateName({ name, setName }: TemplateNameProps) {
  return (
    <label>
      {texts.name}
      <input
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={500}
        dir="auto"
      />
    </label>
  )
}
