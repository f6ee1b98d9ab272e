import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { ChoiceField, FieldList, PlainField, ValueField } from '../../../ui/work/fields.tsx'
import { TextField } from '../../../ui/work/TextField.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { setRestricted, updateIncident, type IncidentRow, type IncidentRole } from './data.ts'
import { SeverityWord } from './marks.tsx'
import { RolePicker, ServicesPicker, SeverityPicker } from './pickers.tsx'

const { fields } = words

/** The fields of an incident, edited in place. */
export function IncidentFields({ incident }: { incident: IncidentRow }) {
  return (
    <FieldList>
      <ValueField
        label={fields.severity}
        content={<SeverityWord severity={incident.severity} />}
        command="incident.severity"
        menu={(anchor, close) => <SeverityPicker {...{ anchor, close, incident }} />}
      />
      <RoleField incident={incident} duty="lead" />
      <RoleField incident={incident} duty="communications" />
      <RoleField incident={incident} duty="scribe" />
      <ValueField
        label={fields.services}
        content={
          incident.services.length > 0 ? (
            <span dir="auto">{incident.services.map(({ title }) => title).join(', ')}</span>
          ) : undefined
        }
        command="incident.services"
        menu={(anchor, close) => <ServicesPicker {...{ anchor, close, incident }} />}
      />
      <IncidentTexts incident={incident} />
      <ChoiceField
        label={fields.access}
        content={words.access[incident.restricted ? 'restricted' : 'everyone']}
        choices={[false, true].map((value) => ({
          value,
          label: words.access[value ? 'restricted' : 'everyone'],
          isChosen: value === incident.restricted,
        }))}
        choose={(restricted) => setRestricted(incident, restricted)}
      />
      <PlainField label={fields.detected}>{formatMoment(incident.detected_at)}</PlainField>
      {incident.channel && (
        <PlainField label={fields.channel}>
          <AppLink to={`/channels/${incident.channel.id}`}>{incident.channel.title}</AppLink>
        </PlainField>
      )}
    </FieldList>
  )
}

function RoleField({ incident, duty }: { incident: IncidentRow; duty: IncidentRole }) {
  const holder = incident.roles[duty]
  return (
    <ValueField
      label={fields[duty]}
      content={
        holder ? (
          <>
            <Face id={holder.id} name={holder.title} size={18} />
            <span dir="auto">{holder.title}</span>
          </>
        ) : undefined
      }
      command={duty === 'lead' ? 'incident.lead' : undefined}
      menu={(anchor, close) => <RolePicker {...{ anchor, close, incident, duty }} />}
    />
  )
}

function IncidentTexts({ incident }: { incident: IncidentRow }) {
  const { cause, customer_impact: impact, resolution } = incident
  const save = (field: 'cause' | 'customer_impact', label: string) => (text: string) =>
    updateIncident(
      incident,
      { [field]: text === '' ? null : text },
      { set: { [field]: text === '' ? undefined : text }, description: words.set(label, text) },
    )
  return (
    <>
      <TextField
        label={fields.impact}
        text={impact ?? ''}
        maxLength={10_000}
        save={save('customer_impact', fields.impact)}
      />
      <TextField
        label={fields.cause}
        text={cause ?? ''}
        maxLength={2000}
        save={save('cause', fields.cause)}
      />
      {resolution !== undefined && (
        <PlainField label={fields.resolution}>
          <span dir="auto">{resolution}</span>
        </PlainField>
      )}
    </>
  )
}
