import { Badge, Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { ApiError } from '../../../api/problem.ts'
import { useOperation } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { formatDate } from '../../../ui/times.tsx'
import { Links, DimmedText } from '../Facts.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../Found.tsx'
import { ItemFrame } from '../Frame.tsx'
import { ItemSection } from '../Section.tsx'

/** A service, as shown on the status page. */
export function ServiceItem() {
  const { id } = useParams({ strict: false }) as { id: string }
  const page = useOperation('get_status_page', { days: 1 })
  const service = page.data?.services.find((item) => item.service.id === id)
  const notFoundError = page.data && !service ? new ApiError(404, { code: 'not_found' }) : null
  return (
    <Loaded query={{ ...page, data: service, error: page.error ?? notFoundError }}>
      {(detail) => (
        <ItemFrame
          type="service"
          title={detail.service.title}
          item={detail}
          id={id}
          status={
            <Badge variant="light" tt="none">
              {t.items.word(detail.state)}
            </Badge>
          }
        >
          <Facts
            facts={[
              [
                t.items.service.uptime,
                `${detail.uptime_90d.toLocaleString(undefined, { maximumFractionDigits: 2 })} %`,
              ],
            ]}
          />
          <OnCall serviceId={id} />
          <Runbooks serviceId={id} />
          <Incidents serviceId={id} />
        </ItemFrame>
      )}
    </Loaded>
  )
}

function OnCall({ serviceId }: { serviceId: string }) {
  const onCall = useOperation('get_on_call', { service_id: serviceId })
  return (
    <ItemSection title={t.items.service.onCall}>
      <QueryContent query={onCall}>
        {({ items }) =>
          items.length === 0 ? (
            <DimmedText>{t.items.service.nobody}</DimmedText>
          ) : (
            <Links items={items.map((item) => item.person)} />
          )
        }
      </QueryContent>
    </ItemSection>
  )
}

function Runbooks({ serviceId }: { serviceId: string }) {
  const runbooks = useOperation('list_runbooks', { service_id: serviceId })
  return (
    <QueryContent query={runbooks}>
      {({ items }) =>
        items.length > 0 && (
          <ItemSection title={t.items.service.runbooks}>
            <Links
              items={items.map((item) => ({ id: item.id, url: item.url, title: item.name }))}
            />
          </ItemSection>
        )
      }
    </QueryContent>
  )
}

function Incidents({ serviceId }: { serviceId: string }) {
  const incidents = useOperation('list_incidents', { service_id: serviceId, limit: 25 })
  return (
    <ItemSection title={t.items.service.incidents}>
      <QueryContent query={incidents}>
        {({ items }) =>
          items.length === 0 ? (
            <DimmedText>{t.items.service.noIncidents}</DimmedText>
          ) : (
            <Stack gap={6} component="ul" className="plain-list">
              {items.map((incident) => (
                <li key={incident.id}>
                  <ItemLink item={incident} />
                  <DimmedText>
                    {t.items.word(incident.status)} · {formatDate(incident.opened_at)}
                  </DimmedText>
                </li>
              ))}
            </Stack>
          )
        }
      </QueryContent>
    </ItemSection>
  )
}
