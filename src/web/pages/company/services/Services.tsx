import { IconServer } from '@tabler/icons-react'
import { useState } from 'react'
import { invalidateOperations, useList } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { incidentTexts } from '../../../texts/en/company/incidents.ts'
import { serviceTexts as words } from '../../../texts/en/company/services.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import incidents from '../incidents/incidents.module.css'
import { SetupList } from './SetupList.tsx'
import { ServiceForm, type Service } from './ServiceForm.tsx'

/** The services of the organization with their owners, schedules and states. */
export function Services() {
  const services = useList('list_services', { limit: 100 })
  const [editedService, setEditedService] = useState<Service | 'new'>()
  const close = () => setEditedService(undefined)
  return (
    <>
      <SetupList<Service>
        title={words.services}
        createLabel={words.service.create}
        query={services}
        empty={{ icon: IconServer, ...words.service.empty }}
        pathOf={({ id }) => `/services/${id}`}
        facts={(service) => <ServiceFacts service={service} />}
        create={() => setEditedService('new')}
        edit={setEditedService}
        remove={(service) => void removeService(service)}
      />
      <Dialog isOpen={editedService !== undefined} close={close} title={words.service.title}>
        <ServiceForm
          service={editedService === 'new' ? undefined : editedService}
          others={services.items}
          close={close}
        />
      </Dialog>
    </>
  )
}

function ServiceFacts({
  service: { state, team, schedule, public: isPublic },
}: {
  service: Service
}) {
  const details = [team?.title, schedule?.title, isPublic ? words.service.isPublic : undefined]
  return (
    <>
      <span className={incidents.state} data-state={state}>
        {incidentTexts.updates.serviceStates[state]}
      </span>
      <span dir="auto">{details.filter((part) => part !== undefined).join(' · ')}</span>
    </>
  )
}

async function removeService({ id, name }: Service): Promise<void> {
  await write('delete_service', { service_id: id }, { text: t.tasks.changed(name, words.removed) })
  await invalidateOperations('list_services')
}
