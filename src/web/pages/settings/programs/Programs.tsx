import { Button } from '@mantine/core'
import { IconApps } from '@tabler/icons-react'
import type { ConnectableProgram } from '../../../api/operations.ts'
import { useEndpoint, usePost } from '../../../api/queries.ts'
import { useIsAdmin } from '../../../session/session.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { AdminsOnly } from '../shared/AdminsOnly.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { runAction } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { EnterProgram } from './EnterProgram.tsx'
import { Hosts } from './Hosts.tsx'
import { ResetPolicyButton, PolicyBadge } from './Policy.tsx'
import { programsPath } from './programs.ts'

const texts = t.programs

/** The programs that people connect by signing in, with the policy for each; for administrators. */
export function Programs() {
  return useIsAdmin() ? <Settings /> : <AdminsOnly title={texts.title} />
}

function Settings() {
  const programs = useEndpoint(programsPath)
  return (
    <Page title={texts.title} description={texts.about}>
      <QueryContent query={programs}>
        {({ items }) => (
          <>
            {items.length === 0 ? (
              <EmptyState icon={IconApps} title={texts.none} text={texts.noneText} />
            ) : (
              <Rows label={texts.list}>
                {items.map((program) => (
                  <ProgramRow key={program.client_id} program={program} />
                ))}
              </Rows>
            )}
            <EnterProgram />
            <Hosts />
          </>
        )}
      </QueryContent>
    </Page>
  )
}

function ProgramRow({ program }: { program: ConnectableProgram }) {
  const { name, policy, source, client_id, redirect_uris, connections, used_at } = program
  const origin =
    source === 'document' ? texts.source.document(hostOf(client_id)) : texts.source[source]
  const hosts = [...new Set(redirect_uris.map(hostOf))]
  return (
    <Row
      title={name}
      badge={<PolicyBadge policy={policy} />}
      actions={<PolicyButton program={program} />}
    >
      <div>{origin}</div>
      {hosts.length > 0 && <div>{texts.answersAt(hosts)}</div>}
      <div>
        {texts.connections(connections)}
        {' · '}
        {used_at === undefined ? (
          texts.unused
        ) : (
          <>
            {texts.used} <Ago time={used_at} />
          </>
        )}
      </div>
      {program.problem !== undefined && <div>{program.problem}</div>}
    </Row>
  )
}

function PolicyButton({
  program: { client_id, name, policy, connections },
}: {
  program: ConnectableProgram
}) {
  const setPolicy = usePost('/web/oauth/clients/policy', [programsPath])
  if (policy !== 'default') {
    const reset = () => setPolicy.mutateAsync({ client_id, policy: 'default' })
    const onReset = () => void runAction(reset, texts.wasReset(name))
    return <ResetPolicyButton label={texts.resetOne(name)} onClick={onReset} />
  }
  const confirmRefusal = async () => {
    const { refuseTitle: title, refuseText, refuse: action } = texts
    if (await confirm({ title, text: refuseText(name, connections), action }))
      await runAction(
        () => setPolicy.mutateAsync({ client_id, policy: 'refuse' }),
        texts.refused(name),
      )
  }
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={texts.refuseOne(name)}
      onClick={() => void confirmRefusal()}
    >
      {texts.refuse}
    </Button>
  )
}

/** The host of an address; for a custom scheme, the scheme. */
function hostOf(address: string): string {
  const url = URL.parse(address)
  if (!url) return address
  return /^https?:$/.test(url.protocol) ? url.hostname : url.protocol
}
