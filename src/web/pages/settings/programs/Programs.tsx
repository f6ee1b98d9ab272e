import { Button } from '@mantine/core'
import { IconApps } from '@tabler/icons-react'
import type { ConnectableProgram } from '../../../api/operations.ts'
import { useEndpoint, usePost } from '../../../api/queries.ts'
import { useIsAdmin } from '../../../session/session.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Empty, Shown } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { AdminsOnly } from '../shared/AdminsOnly.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { submitWork } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { EnterProgram } from './EnterProgram.tsx'
import { Hosts } from './Hosts.tsx'
import { LiftButton, PolicyBadge } from './Policy.tsx'
import { programsPath } from './programs.ts'

const words = t.programs

/** The programs that people connect by signing in, with the policy for each; for administrators. */
export function Programs() {
  return useIsAdmin() ? <Settings /> : <AdminsOnly title={words.title} />
}

function Settings() {
  const programs = useEndpoint(programsPath)
  return (
    <Page title={words.title} about={words.about}>
      <Shown query={programs}>
        {({ items }) => (
          <>
            {items.length === 0 ? (
              <Empty icon={IconApps} title={words.none} text={words.noneText} />
            ) : (
              <Rows label={words.list}>
                {items.map((program) => (
                  <ProgramRow key={program.client_id} program={program} />
                ))}
              </Rows>
            )}
            <EnterProgram />
            <Hosts />
          </>
        )}
      </Shown>
    </Page>
  )
}

function ProgramRow({ program }: { program: ConnectableProgram }) {
  const { name, policy, source, client_id, redirect_uris, connections, used_at } = program
  const origin =
    source === 'document' ? words.source.document(hostOf(client_id)) : words.source[source]
  const hosts = [...new Set(redirect_uris.map(hostOf))]
  return (
    <Row
      title={name}
      beside={<PolicyBadge policy={policy} />}
      actions={<Decision program={program} />}
    >
      <div>{origin}</div>
      {hosts.length > 0 && <div>{words.answersAt(hosts)}</div>}
      <div>
        {words.connections(connections)}
        {' · '}
        {used_at === undefined ? (
          words.unused
        ) : (
          <>
            {words.used} <Ago at={used_at} />
          </>
        )}
      </div>
      {program.problem !== undefined && <div>{program.problem}</div>}
    </Row>
  )
}

function Decision({
  program: { client_id, name, policy, connections },
}: {
  program: ConnectableProgram
}) {
  const decide = usePost('/web/oauth/clients/policy', [programsPath])
  if (policy !== 'default') {
    const reset = () => decide.mutateAsync({ client_id, policy: 'default' })
    const lift = () => void submitWork(reset, words.wasReset(name))
    return <LiftButton label={words.resetOne(name)} onClick={lift} />
  }
  const ask = async () => {
    const { refuseTitle: title, refuseText, refuse: action } = words
    if (await confirm({ title, text: refuseText(name, connections), action }))
      await submitWork(
        () => decide.mutateAsync({ client_id, policy: 'refuse' }),
        words.refused(name),
      )
  }
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={words.refuseOne(name)}
      onClick={() => void ask()}
    >
      {words.refuse}
    </Button>
  )
}

/** The host of an address; for a custom scheme, the scheme. */
function hostOf(address: string): string {
  const url = URL.parse(address)
  if (!url) return address
  return /^https?:$/.test(url.protocol) ? url.hostname : url.protocol
}
